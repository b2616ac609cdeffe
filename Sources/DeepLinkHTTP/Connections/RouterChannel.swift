import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The part of a connection that may wait: Hummingbird's, in a task, added when a request needs it, on most connections
/// never.
struct RouterChannel: HTTPChannelHandler {
    /// What answers a request that is passed on.
    let responder: Responder

    let logger: Logger

    /// Adds what Hummingbird reads from and writes to, and lets it wait for requests.
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
