import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The part of a connection that answers deferred requests: Hummingbird's asynchronous channel in a task.
///
/// It is added when a request needs it. On most connections this never happens.
struct DeferredChannel: HTTPChannelHandler {
    let responder: Responder
    private let logger: Logger

    /// Creates the part for one connection.
    ///
    /// The bodies of its deferred requests come through the channel, in the same order.
    init(answering requests: DeferredRequests, with responder: DeferredResponder, logger: Logger) {
        self.logger = logger
        self.responder = { request, writer, _ in
            guard let deferred = requests.takeFirst() else { throw ChannelError.inappropriateOperationForState }
            // A connection is one task, and a task keeps the memory of its deepest call until it ends. A separate task
            // for each request releases that memory, which is as much as everything else about a silent connection.
            let task = Task { await responder.respond(to: deferred, body: request.body) }
            var response = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            var date = HTTPDate()
            response.headers[.date] = date.string(at: responder.services.now())
            try await writer.write(response: response.head, body: response.body)
        }
    }

    /// Adds the part behind the handlers of a connection, and starts to wait for requests.
    ///
    /// - Throws: SwiftNIO's error if the connection has ended.
    func add(to channel: any Channel) throws {
        let wrapped = try wrap(channel)
        Task { await handle(value: wrapped, logger: logger) }
    }

    private func wrap(_ channel: any Channel) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    func setup(
        channel: any Channel,
        logger: Logger
    ) -> EventLoopFuture<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>> {
        channel.eventLoop.makeCompletedFuture { try wrap(channel) }
    }

    func handle(value: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
