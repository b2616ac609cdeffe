import DeepLinkStorage
import NIOCore

/// The answers that a connection waits for after all of their requests has arrived; no further request is read meanwhile.
extension ExchangeHandler {
    /// Waits for an answer in a task, which ends with the connection.
    func wait(for request: AtOnceResponder.WaitingRequest, in context: ChannelHandlerContext) {
        answer(keeping: request.byteCount, in: context) {
            request.note
        } with: { [services] in
            await services.response(to: request)
        }
    }

    /// Answers a request in a task of its own, which ends with the connection.
    ///
    /// That takes half of what a stream of requests through Hummingbird's channel takes, which is for bodies that are still
    /// arriving, and for answers that are written as they come.
    ///
    /// - Returns: whether the request is answered so.
    func respond(
        to request: DeferredRequest,
        whole body: ByteBuffer,
        in context: ChannelHandlerContext
    ) -> Bool {
        guard let responder, request.head.destination.endpoint.isAnsweredWhole else { return false }
        // The responder counts the bytes of the body.
        answer(keeping: 0, in: context) {
            request.note
        } with: {
            await responder.response(to: request, whole: body)
        }
        return true
    }

    /// Answers a request in a task, and reads no further one meanwhile.
    private func answer(
        keeping byteCount: Int,
        in context: ChannelHandlerContext,
        note: @escaping @Sendable () -> AdmissionNote?,
        with respond: @escaping @Sendable () async -> EndpointResponse
    ) {
        framer.hold(keeping: byteCount)
        let answered = context.eventLoop.makePromise(of: EndpointResponse.self)
        answered.futureResult.assumeIsolated()
            .whenSuccess { response in
                self.task = nil
                self.finishWaiting(response, note: note(), in: context)
            }
        task = Task { answered.succeed(await respond()) }
    }

    private func finishWaiting(_ response: EndpointResponse, note: AdmissionNote?, in context: ChannelHandlerContext) {
        // If the connection is gone, there is no client to answer.
        guard !ending.isDone else { return }
        write(response, note: note, in: context)
        unsent.flush()
        answerRefusalIfDue(in: context)
        framer.release()
    }
}

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
