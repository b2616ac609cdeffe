import NIOCore

extension ExchangeHandler {
    /// Adds the first handlers of a connection, which turn bytes into requests and pass on those that must wait.
    ///
    /// `responder` answers deferred requests that have arrived whole; `addDeferredChannel` adds the part that answers the
    /// others, once there is one.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        services: ConnectionServices,
        limits: ConnectionLimits,
        timeouts: ConnectionTimeouts,
        responder: DeferredResponder? = nil,
        addingDeferred addDeferredChannel: @escaping (any Channel, DeferredRequests) throws -> Void
    ) throws {
        let framer = RequestFramingHandler(
            timeouts: timeouts,
            arriving: services.load.arriving
        )
        try pipeline.addHandler(framer)
        try pipeline.addHandler(
            ExchangeHandler(
                framer,
                services: services,
                limits: limits,
                responder: responder,
                addingDeferred: addDeferredChannel
            )
        )
    }
}
