import DeepLinkCore
import Foundation
import NIOCore
import NIOEmbedded
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of answers that wait for a user's level in a task.
@Suite struct AwaitedAnswerTests {
    /// An observer that counts what it is told.
    private final class Recorder: ResponseObserver {
        private let state = Mutex<[Int]>([])

        var told: [Int] { state.withLock { $0 } }

        func answered(_ answer: ObservedResponse) { state.withLock { $0.append(answer.status) } }
    }

    private static let fields = "HTTP/1.1\r\nHost: localhost\r\n"
    private static let resolve = "GET /v1/resolve?link=navigation%3A%2Fsettings&user=ada \(fields)\r\n"
    private static let webLink = "GET /settings \(fields)Waymark-User: ada\r\n\r\n"
    private static let health = "GET /healthz \(fields)\r\n"
    private static let users = "GET /v1/users \(fields)\r\n"

    private static let body = #"{"link":"navigation:/settings","user":"ada"}"#
    private static let json = "\(fields)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    private static let post = "POST /v1/resolve \(json)\(body)"

    private let store = RemoteStore(isSlow: true)

    /// The statuses of what was sent since that was last asked for.
    private func statuses(_ connection: EmbeddedConnection) throws -> [Int] {
        try connection.received().matches(of: /HTTP\/1\.1 (\d\d\d)/).compactMap { Int($0.1) }
    }

    @Test(arguments: [resolve, webLink, post])
    func `an answer waits for its level alone, and is given and counted once`(_ request: String) throws {
        let recorder = Recorder()
        let service = try TestServer.service(store: store, observer: recorder)
        let connection = try EmbeddedConnection(service)
        for count in 1...3 {
            #expect(try connection.send(request) == .init())
            #expect(service.load.openRequestCount == 1)
            #expect(store.questionCount == 1)
            store.complete()
            #expect(try statuses(connection) == [403])
            #expect(recorder.told == Array(repeating: 403, count: count))
            #expect(service.load.openRequestCount == 0)
        }
    }

    @Test func `what comes meanwhile is answered behind it, wherever the bytes are cut`() throws {
        let all = Array((Self.resolve + Self.health + Self.post + Self.webLink + Self.health).utf8)
        for cut in stride(from: 0, to: all.count, by: 7) {
            let service = try TestServer.service(store: store)
            let connection = try EmbeddedConnection(service)
            var answered = try connection.send(all[..<cut]).answered
            answered += try connection.send(all[cut...]).answered
            while store.questionCount > 0 {
                #expect(service.load.openRequestCount == 1)
                store.complete()
                answered += try statuses(connection)
            }
            #expect(answered == [403, 200, 403, 403, 200], "cut at \(cut)")
            #expect(service.load.arriving.taken.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `what must wait for more is passed on behind it, and it behind that`() throws {
        let connection = try EmbeddedConnection(TestServer.service(store: store))
        #expect(try connection.send(Self.resolve + Self.users) == .init())
        store.complete()
        #expect(try statuses(connection) == [403])
        #expect(try connection.send("").deferred == ["/v1/users"])
        // A request behind one that was passed on is passed on as well.
        #expect(try connection.send(Self.resolve).deferred.count == 1)
        #expect(store.questionCount == 0)
    }

    @Test func `a request that is awaited counts as worked on until it is answered, if only to nobody`() throws {
        let service = try TestServer.service(store: store, load: ServerLoad(maximumWork: 1))
        let connections = [try EmbeddedConnection(service), try EmbeddedConnection(service)]
        #expect(try connections[0].send(Self.resolve) == .init())
        #expect(try connections[1].send(Self.resolve) == .init(answered: [503]))
        store.complete()
        #expect(try statuses(connections[0]) == [403])
        #expect(try connections[1].send(Self.resolve) == .init())
        try connections[1].channel.close().wait()
        #expect(service.load.openRequestCount == 0)
        #expect(try connections[0].send(Self.resolve) == .init(answered: [503]))
        store.complete()
        _ = try connections[1].received()
        #expect(try connections[0].send(Self.resolve) == .init())
        store.complete()
        #expect(try statuses(connections[0]) == [403])
    }

    @Test func `a request that is awaited counts once for its caller`() throws {
        let limits = CallerLimits(rate: 2, addressRate: 2)
        let connection = try EmbeddedConnection(TestServer.service(store: store, callerLimits: limits))
        for _ in 0..<2 {
            #expect(try connection.send(Self.resolve) == .init())
            store.complete()
            #expect(try statuses(connection) == [403])
        }
        #expect(try connection.send(Self.resolve) == .init(answered: [429]))
    }

    @Test func `a level that cannot be told is a problem of that request`() throws {
        let connection = try EmbeddedConnection(TestServer.service(store: store))
        #expect(try connection.send(Self.resolve + Self.webLink) == .init())
        store.complete(isLost: true)
        store.complete(isLost: true)
        let text = try connection.received()
        #expect(text.matches(of: /HTTP\/1\.1 503/).count == 2)
        #expect(text.matches(of: /"requestId":"\w+/).count == 2)
        #expect(text.matches(of: /Vary: Accept,/).count == 1)
    }

    @Test func `a client that sends its end ahead is answered whole`() throws {
        let connection = try EmbeddedConnection(TestServer.service(store: store))
        #expect(try connection.send(Self.resolve + Self.resolve) == .init())
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        store.complete()
        store.complete()
        let text = try connection.received()
        #expect(text.matches(of: /HTTP\/1\.1 403/).count == 2)
        #expect(text.matches(of: /Connection: close/).count == 1)
        // It is the second that ends the connection.
        #expect(text.components(separatedBy: "HTTP/1.1 403").last?.contains("Connection: close") == true)
    }

    @Test(arguments: [false, true])
    func `a connection that is to end does so with the answer`(_ isServers: Bool) throws {
        let connection = try EmbeddedConnection(TestServer.service(store: store))
        let close = Self.resolve.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
        let request = isServers ? Self.resolve : close
        #expect(try connection.send(request) == .init())
        if isServers { connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        #expect(try connection.received() == "")
        store.complete()
        #expect(try connection.received().contains("Connection: close"))
        #expect(try connection.send(Self.health) == .init())
    }

    @Test func `what is kept meanwhile is counted over all connections, and refused where it is too much`() throws {
        let load = ServerLoad(maximumWork: 16, maximumArrivingBytes: 1000)
        let service = try TestServer.service(store: store, load: load)
        let connection = try EmbeddedConnection(service)
        #expect(try connection.send(Self.post + Self.health) == .init())
        #expect(load.arriving.taken.load(ordering: .relaxed) == Self.health.utf8.count + Self.body.utf8.count)
        #expect(try connection.send(String(repeating: Self.health, count: 30)) == .init())
        store.complete()
        #expect(try statuses(connection) == [403, 503])
        #expect(load.arriving.taken.load(ordering: .relaxed) == 0)
        #expect(load.openRequestCount == 0)
    }

    @Test func `nothing is read ahead of what is kept`() throws {
        let connection = try EmbeddedConnection(TestServer.service(store: store))
        let reads = CountingReads()
        try connection.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        #expect(try connection.send(Self.resolve) == .init())
        connection.channel.read()
        #expect(reads.count == 1, "That a client goes away is noticed.")
        #expect(try connection.send(Self.health) == .init())
        connection.channel.read()
        #expect(reads.count == 1)
        store.complete()
        #expect(try statuses(connection) == [403, 200])
        #expect(reads.count == 2)
    }

    /// Counts how often bytes are asked for.
    private final class CountingReads: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }
}
