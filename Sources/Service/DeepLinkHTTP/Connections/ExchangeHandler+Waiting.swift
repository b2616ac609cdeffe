import DeepLinkStorage
import NIOCore

/// Responses that a connection waits for after a complete request has arrived. No further request is read in the
/// meantime.
extension ExchangeHandler {
    /// Waits for an answer in a task, which ends with the connection.
    func wait(for request: AtOnceResponder.WaitingRequest, in context: ChannelHandlerContext) {
        answer(keeping: request.byteCount, in: context) {
            request.note
        } with: { [services] in
            await services.response(to: request)
        }
    }

    /// Answers a request in its own task.
    ///
    /// The task is cancelled with the connection.
    ///
    /// This takes half the time of a stream of requests through Hummingbird's channel. The channel serves bodies that
    /// are still arriving and responses that are written in parts.
    ///
    /// - Returns: whether the request is answered in this way.
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
                self.answering.task = nil
                self.finishWaiting(response, note: note(), in: context)
            }
        answering.task = Task(executorPreference: answering.executor) { answered.succeed(await respond()) }
    }

    private func finishWaiting(_ response: EndpointResponse, note: AdmissionNote?, in context: ChannelHandlerContext) {
        // If the connection is closed, nobody reads the response.
        guard !ending.isDone else { return }
        write(response, note: note, in: context)
        unsent.flush()
        answerRefusalIfDue(in: context)
        framer.release()
    }
}

extension ExchangeHandler {
    /// Adds the first handlers of a connection.
    ///
    /// They turn bytes into requests and defer the requests that must wait.
    ///
    /// With `endsOnceAnswered` the connection closes as soon as no response is due, as on a server that is stopping.
    /// `responder` answers complete deferred requests. `addDeferredChannel` adds the part that answers the other ones,
    /// when the first arrives.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        services: ConnectionServices,
        limits: ConnectionLimits,
        timeouts: ConnectionTimeouts,
        endsOnceAnswered: Bool = false,
        responder: DeferredResponder? = nil,
        answeringOn executor: (any TaskExecutor)? = nil,
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
        handler.answering.executor = executor
        try pipeline.addHandler(handler)
    }
}

/// The task that answers a complete request of a connection.
struct AnsweringTask {
    /// The executor of the task, or `nil` for the default one.
    var executor: (any TaskExecutor)?

    /// The task, or `nil` while none runs.
    var task: Task<Void, Never>?
}
