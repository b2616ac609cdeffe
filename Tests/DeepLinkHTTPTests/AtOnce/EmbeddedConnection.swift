import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization

@testable import DeepLinkHTTP
@testable import HTTPServer

/// A connection without a socket, whose deferred requests the test answers: what comes of each piece of bytes is seen
/// at once.
final class EmbeddedConnection {
    /// The outcome of some bytes.
    struct Outcome: Equatable {
        /// The statuses of what was answered on the spot.
        var answered: [Int] = []

        /// The targets of the requests that were deferred.
        var deferred: [String] = []
    }

    let channel = EmbeddedChannel()

    private let waiting = Waiting()
    private let executor = ManualExecutor()

    /// The bodies of the requests that were deferred.
    private(set) var deferredBody = ""

    /// Opens a connection whose clock stands still until ``pass(_:)``.
    init(_ service: TestService, limits: ConnectionLimits = TestServer.patient) throws {
        let addDeferredChannel = { [waiting] (_: any Channel, requests: DeferredRequests) in waiting.requests = requests
        }
        try HTTPConnectionHandler.add(
            to: channel.pipeline.syncOperations,
            application: service.connections,
            limits: limits,
            timeouts: ConnectionTimeouts(limits) { [loop = channel.embeddedEventLoop] in loop.now },
            answeringOn: executor,
            addingDeferred: addDeferredChannel
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

    /// Lets time pass on the connection's clock, once the server has asked for more bytes.
    ///
    /// - Returns: whether the connection is still open.
    func pass(_ time: TimeAmount) -> Bool {
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: time)
        return channel.isActive
    }

    /// Sends bytes in one piece.
    func send(_ text: String) throws -> Outcome { try send(Array(text.utf8)) }

    /// Sends bytes in one piece.
    func send(_ bytes: some Sequence<UInt8>) throws -> Outcome {
        let (text, deferred) = try sendAll(bytes)
        let answered = text.matches(of: /HTTP\/1\.1 (\d\d\d)/).compactMap { Int($0.1) }
        return Outcome(answered: answered, deferred: deferred)
    }

    /// Sends bytes in one piece; returns what was answered, and the targets of what was deferred.
    func sendAll(_ bytes: some Sequence<UInt8>) throws -> (text: String, deferred: [String]) {
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        executor.run()
        let text = try received()
        var targets: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head = part, let request = waiting.requests?.takeFirst() { targets.append(request.head.target) }
            if case .body(let body) = part { deferredBody += String(buffer: body) }
        }
        return (text, targets)
    }

    /// Everything that was sent to the client since it was last asked for.
    func received() throws -> String {
        executor.run()
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        return text
    }

    /// Answers the oldest request that was deferred.
    func answer() throws {
        let head = HTTPResponseHead(version: .http1_1, status: .accepted, headers: ["Content-Length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        _ = try received()
    }
}

/// The executor of a connection's tasks, which run when a test says so, on its thread: that of the event loop.
private final class ManualExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs all that is due.
    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// The deferred requests of a connection, once there are any.
private final class Waiting {
    var requests: DeferredRequests?
}
