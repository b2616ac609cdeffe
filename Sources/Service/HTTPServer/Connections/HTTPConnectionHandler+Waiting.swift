import HummingbirdCore
import NIOCore

/// Responses that a connection waits for after a complete request has arrived. No further request is read in the
/// meantime.
extension HTTPConnectionHandler {
    /// Waits for a response in a task, which ends with the connection, and reads no further request meanwhile.
    func wait(
        for response: @escaping @Sendable () async -> ServerResponse,
        keeping byteCount: Int,
        in context: ChannelHandlerContext
    ) {
        framer.hold(keeping: byteCount)
        let answered = context.eventLoop.makePromise(of: ServerResponse.self)
        answered.futureResult.assumeIsolated()
            .whenSuccess { response in
                self.answering.task = nil
                self.finishWaiting(response, in: context)
            }
        answering.task = Task(executorPreference: answering.executor) { answered.succeed(await response()) }
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
        to request: any DeferredRequest,
        whole body: ByteBuffer,
        in context: ChannelHandlerContext
    ) -> Bool {
        guard answersInTasks, request.isAnsweredWhole else { return false }
        // The request counts the bytes of the body itself.
        wait(for: { await request.response(body: RequestBody(buffer: body)) }, keeping: 0, in: context)
        return true
    }

    private func finishWaiting(_ response: ServerResponse, in context: ChannelHandlerContext) {
        // If the connection is closed, nobody reads the response.
        guard !ending.isDone else { return }
        write(response, in: context)
        unsent.flush()
        answerRefusalIfDue(in: context)
        framer.release()
    }
}

extension HTTPConnectionHandler {
    /// Adds the first handlers of a connection.
    ///
    /// They turn bytes into requests and defer the requests that must wait.
    ///
    /// With `endsOnceAnswered` the connection closes as soon as no response is due, as on a server that is stopping.
    /// With `answersInTasks` each complete deferred request has a task of its own. `addDeferredChannel` adds the part
    /// that answers the other ones, when the first arrives.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations,
        application: any ServerApplication,
        limits: ConnectionLimits,
        timeouts: ConnectionTimeouts,
        endsOnceAnswered: Bool = false,
        answersInTasks: Bool = false,
        answeringOn executor: (any TaskExecutor)? = nil,
        addingDeferred addDeferredChannel: @escaping (any Channel, DeferredRequests) throws -> Void
    ) throws {
        let framer = RequestFramingHandler(
            timeouts: timeouts,
            arriving: application.load.arriving
        )
        try pipeline.addHandler(framer)
        let handler = HTTPConnectionHandler(
            framer,
            application: application,
            limits: limits,
            answersInTasks: answersInTasks,
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
