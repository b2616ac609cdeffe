import NIOCore

extension ExchangeHandler {
    /// Adds the first handlers of a connection, which turn bytes into requests and pass on those that must wait.
    ///
    /// `addDeferredChannel` adds the part that answers deferred requests, once there is one.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        services: ConnectionServices,
        limits: ConnectionLimits,
        timeouts: ConnectionTimeouts,
        addingDeferred addDeferredChannel: @escaping (any Channel, DeferredRequests) throws -> Void
    ) throws {
        let framer = RequestFramingHandler(
            timeouts: timeouts,
            arriving: services.load.arriving
        )
        try pipeline.addHandler(framer)
        try pipeline.addHandler(
            ExchangeHandler(framer, services: services, limits: limits, addingDeferred: addDeferredChannel)
        )
    }
}
