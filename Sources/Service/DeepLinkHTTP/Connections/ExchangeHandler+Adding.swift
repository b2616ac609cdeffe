import NIOCore

extension ExchangeHandler {
    /// Adds the first handlers of a connection, which turn bytes into requests and pass on those that must wait.
    ///
    /// With `endsOnceAnswered` the connection ends as soon as no answer is due, as on a server that is stopping.
    /// `responder` answers deferred requests that have arrived whole; `addDeferredChannel` adds the part that answers the
    /// others, once there is one.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        services: ConnectionServices,
        limits: ConnectionLimits,
        timeouts: ConnectionTimeouts,
        endsOnceAnswered: Bool = false,
        responder: DeferredResponder? = nil,
        addingDeferred addDeferredChannel: @escaping (any Channel, DeferredRequests) throws -> Void
    ) throws {
        let framer = RequestFramingHandler(
            timeouts: timeouts,
            arriving: services.load.arriving
        )
        try pipeline.addHandler(framer)
        let handler = ExchangeHandler(
            framer,
            services: services,
            limits: limits,
            responder: responder,
            addingDeferred: addDeferredChannel
        )
        handler.isQuiescing = endsOnceAnswered
        try pipeline.addHandler(handler)
    }
}
