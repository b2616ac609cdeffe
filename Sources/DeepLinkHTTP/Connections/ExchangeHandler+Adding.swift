import NIOCore

extension ExchangeHandler {
    /// Adds what a connection begins with: bytes come in, and requests that must wait come out.
    ///
    /// `addRouter` adds what requests that wait are passed on to, once there is one.
    ///
    /// - Throws: what SwiftNIO throws where the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ limits: ConnectionLimits,
        _ environment: ServiceEnvironment,
        _ addRouter: @escaping (any Channel) throws -> Void
    ) throws {
        let framer = RequestFramingHandler(ConnectionTimeouts(limits), environment.load.arriving)
        try pipeline.addHandler(framer)
        try pipeline.addHandler(ExchangeHandler(framer, limits, environment, addRouter))
    }
}
