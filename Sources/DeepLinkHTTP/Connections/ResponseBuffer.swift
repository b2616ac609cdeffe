import DeepLinkCore
import NIOCore

/// The answers of a connection that were given on the event loop, and are not sent yet.
final class ResponseBuffer {
    /// The number of bytes that are gathered before checking whether the client reads them.
    private static let maximumByteCount = 32 * 1024

    private let framer: RequestFramingHandler
    private let load: ServerLoad
    private let now: @Sendable () -> Timestamp
    private var serializer = ResponseSerializer()
    private var bytes = ByteBuffer()

    /// The number of these answers.
    private(set) var count = 0

    init(_ framer: RequestFramingHandler, load: ServerLoad, now: @escaping @Sendable () -> Timestamp) {
        self.framer = framer
        self.load = load
        self.now = now
    }

    /// Whether there are enough of them to hand over.
    var areMany: Bool { bytes.readableBytes >= Self.maximumByteCount }

    /// Adds an answer to a request that counts as in progress.
    func append(_ response: EndpointResponse, framing: ResponseSerializer.Framing) {
        appendRefusal(response, framing: framing)
        count += 1
    }

    /// Adds the answer to a request that counts as ended, or to bytes that aren't a request.
    func appendRefusal(_ response: EndpointResponse, framing: ResponseSerializer.Framing) {
        serializer.write(response, framing: framing, at: now(), to: &bytes)
    }

    /// Hands them over to be sent, before anything else is.
    func handOver() {
        guard bytes.readableBytes > 0 else { return }
        framer.send(bytes)
        // If it is sent by now, its memory is reused.
        bytes.clear()
    }

    /// Sends them; an answer that is not sent yet is still in progress.
    ///
    /// - Returns: a future of the write; `nil` if it is done already.
    @discardableResult func flush() -> EventLoopFuture<Void>? {
        handOver()
        let (count, load) = (count, load)
        self.count = 0
        guard let isSent = framer.flush() else {
            load.requestsEnded(count)
            return nil
        }
        isSent.whenComplete { _ in load.requestsEnded(count) }
        return isSent
    }
}
