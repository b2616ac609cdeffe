import HTTPTypes
package import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Synchronization

/// The part of a connection that answers deferred requests: Hummingbird's asynchronous channel in a task.
///
/// It is added when a request needs it. On most connections this never happens.
struct DeferredChannel: HTTPChannelHandler {
    let responder: Responder
    private let logger: Logger

    /// Creates the part for one connection.
    ///
    /// The bodies of its deferred requests come through the channel, in the same order.
    init(answering requests: DeferredRequests, of application: any ServerApplication, logger: Logger) {
        self.logger = logger
        self.responder = { request, writer, _ in
            guard let deferred = requests.takeFirst() else { throw ChannelError.inappropriateOperationForState }
            // A connection is one task, and a task keeps the memory of its deepest call until it ends. A separate task
            // for each request releases that memory, which is as much as everything else about a silent connection.
            let task = Task {
                let response = Response(await deferred.response(body: request.body))
                return deferred.head.method == .head ? response.withoutBody : response
            }
            var response = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            var date = HTTPDate()
            response.headers[.date] = date.string(at: application.secondsSinceEpoch)
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

/// The deferred requests of one connection that no task has started yet, oldest first.
final class DeferredRequests: Sendable {
    private let requests = Mutex<[any DeferredRequest]>([])

    /// Adds the newest request.
    func append(_ request: any DeferredRequest) { requests.withLock { $0.append(request) } }

    /// Removes and returns the oldest request, or returns `nil` if there is none.
    func takeFirst() -> (any DeferredRequest)? { requests.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

extension Response {
    /// Creates Hummingbird's response from a response of the application.
    package init(_ response: ServerResponse) {
        let body =
            switch response.body {
            case .none: ResponseBody()
            case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            case .shared(let bytes): ResponseBody(byteBuffer: bytes)
            case .stream(let stream): stream
            }
        self.init(status: response.status, headers: response.completeFields, body: body)
        // Hummingbird adds a length of 0 to each response without a body.
        if response.contentLength == nil { headers[.contentLength] = nil }
    }

    /// The same response without its body, but with the body's length (RFC 9110 §9.3.2).
    package var withoutBody: Response {
        var head = createHeadResponse()
        head.headers = headers
        return head
    }
}
