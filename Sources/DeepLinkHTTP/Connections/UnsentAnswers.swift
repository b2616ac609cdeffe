import NIOCore

/// The answers of a connection that were given on the event loop, and are not sent.
final class UnsentAnswers {
    /// How many bytes are gathered before it is asked whether the client takes them.
    private static let maximumByteCount = 32 * 1024

    private let framer: RequestFramingHandler
    private let environment: ServiceEnvironment
    private var serializer = ResponseSerializer()
    private var bytes = ByteBuffer()

    /// How many they are.
    private(set) var count = 0

    init(_ framer: RequestFramingHandler, _ environment: ServiceEnvironment) {
        self.framer = framer
        self.environment = environment
    }

    /// Whether there are enough to hand them over.
    var areMany: Bool { bytes.readableBytes >= Self.maximumByteCount }

    /// Adds an answer to a request that counts as under way.
    func append(_ response: EndpointResponse, _ framing: ResponseSerializer.Framing) {
        appendRefusal(response, framing)
        count += 1
    }

    /// Adds the answer to a request that counts as ended, or to none.
    func appendRefusal(_ response: EndpointResponse, _ framing: ResponseSerializer.Framing) {
        serializer.write(response, framing, at: environment.now(), to: &bytes)
    }

    /// Hands them over to be sent, before anything else is.
    func handOver() {
        guard bytes.readableBytes > 0 else { return }
        framer.send(bytes)
        // Where it is sent by now, its memory is used again.
        bytes.clear()
    }

    /// Sends them; what is not sent yet is still under way.
    ///
    /// - Returns: what ends once it is sent; `nil` where it is sent already.
    @discardableResult func flush() -> EventLoopFuture<Void>? {
        handOver()
        let (count, load) = (count, environment.load)
        self.count = 0
        guard let isSent = framer.flush() else {
            load.requestsEnded(count)
            return nil
        }
        isSent.whenComplete { _ in load.requestsEnded(count) }
        return isSent
    }
}
