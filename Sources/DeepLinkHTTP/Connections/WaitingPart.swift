import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The part of a connection that may wait: Hummingbird's, made when a request needs it, on most connections never.
///
/// It is used on the event loop of its channel alone.
final class WaitingPart {
    typealias AsyncChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private let promise: EventLoopPromise<AsyncChannel?>
    private let build: (any Channel) throws -> AsyncChannel?
    private var isSettled = false

    /// Prepares for a part that is Hummingbird's, or what tests put in its place.
    init(_ channel: any Channel, build: @escaping (any Channel) throws -> AsyncChannel? = hummingbird) {
        promise = channel.eventLoop.makePromise()
        self.build = build
    }

    /// Adds what Hummingbird reads from and writes to.
    private static func hummingbird(_ channel: any Channel) throws -> AsyncChannel? {
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        return try AsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    /// The part, once it is made; `nil` where the connection ended without.
    var future: EventLoopFuture<AsyncChannel?> { promise.futureResult }

    /// Makes the part, unless it is there.
    func make(_ channel: any Channel) throws {
        guard !isSettled else { return }
        let part = try build(channel)
        isSettled = true
        promise.succeed(part)
    }

    /// Notes that the connection has ended.
    func end() {
        guard !isSettled else { return }
        isSettled = true
        promise.succeed(nil)
    }
}
