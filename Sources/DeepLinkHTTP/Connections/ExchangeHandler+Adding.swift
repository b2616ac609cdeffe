import NIOCore

extension ExchangeHandler {
    /// Adds the first handlers of a connection, which turn bytes into requests and pass on those that must wait.
    ///
    /// `addDeferredChannel` adds the part that answers deferred requests, once there is one; `now` is the clock of the
    /// event loop.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ limits: ConnectionLimits,
        _ environment: ServiceEnvironment,
        now: @escaping () -> NIODeadline = NIODeadline.now,
        _ addDeferredChannel: @escaping (any Channel, DeferredRequests) throws -> Void
    ) throws {
        let framer = RequestFramingHandler(ConnectionTimeouts(limits, now: now), environment.load.arriving)
        try pipeline.addHandler(framer)
        try pipeline.addHandler(ExchangeHandler(framer, limits, environment, addDeferredChannel))
    }
}
