import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Tests of the requests that are read in one pass, which SwiftNIO's parser must read alike.
@Suite struct PlainRequestTests {
    private static let link = "link=navigation%3A%2Fonboarding&user=ada"
    private static let body = #"{"link":"navigation:/onboarding"}"#

    /// Requests that are read in one pass.
    private static let plain = [
        "GET /v1/resolve?\(link) HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nX-Request-Id: abc\r\n\r\n",
        "POST /v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
        "HEAD /onboarding?a=b HTTP/1.1\r\nHOST:localhost:8080\r\nWaymark-User:  ada\r\nX:\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\nConnection: keep-alive\r\n\r\n",
        "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n\r\n",
        "GET /v1/users HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept: application/json\r\n\r\n",
    ]

    private static func read(_ text: String) -> PlainRequest? { read(Array(text.utf8).span) }

    private static func read(_ bytes: Span<UInt8>) -> PlainRequest? {
        var texts = RepeatedTexts()
        return PlainRequest(bytes, among: &texts, for: UnaskedResponder()) { _ in "" }
    }

    @Test(arguments: plain) func `what nearly all clients send is plain`(_ request: String) throws {
        let found = try #require(Self.read(request))
        #expect(found.headByteCount + found.bodyByteCount == request.utf8.count)
        // And what follows is not looked at.
        #expect(Self.read(request + "\u{0}\r\n")?.headByteCount == found.headByteCount)
    }

    @Test(arguments: plain) func `what has not come whole is not`(_ request: String) {
        let bytes = Array(request.utf8)
        for count in bytes.indices { #expect(Self.read(bytes.span.extracting(first: count)) == nil) }
    }

    @Test(arguments: [
        "Transfer-Encoding: chunked", "Expect: 100-continue", "Upgrade: h2c", "Connection: upgrade",
        "Connection: close, x", "Proxy-Connection: close", "Content-Length: 1x", "Content-Length: 00000001", "a b: c",
        "X : y", " X: y", "X: y\r\n z", "X\u{e9}: y", "X: \u{e9}", "X: \u{1}", "X: a\tb", "X: y ", "X",
        "Host: localhost",
        "Host: a,b",
    ])
    func `what may be read in two ways is left to the parser`(_ line: String) {
        #expect(Self.read("GET / HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n\r\n") == nil)
    }

    @Test(arguments: [
        "PUT / HTTP/1.1", "GET  / HTTP/1.1", "GET * HTTP/1.1", "GET http://localhost/ HTTP/1.1", "GET / HTTP/1.0",
        "GET / HTTP/1.1 ", "GET /# HTTP/1.1", "GET /\u{e9} HTTP/1.1", "GET /", "get / HTTP/1.1", "\r\nGET / HTTP/1.1",
    ])
    func `so is every other first line`(_ line: String) {
        #expect(Self.read("\(line)\r\nHost: localhost\r\n\r\n") == nil)
    }

    @Test func `a long head is left to the parser`() {
        let line = "X: \(String(repeating: "x", count: 8 * 1024))"
        #expect(Self.read("GET / HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n\r\n") == nil)
    }

    // MARK: The law

    /// Lines that may stand among the others.
    private static let lines = [
        "Connection: close", "connection:keep-alive", "Connection: close, x", "Proxy-Connection: close", "X: a\tb",
        "X:",
        "Content-Length: 0", "Content-Length: 3", "Transfer-Encoding: chunked", "Expect: 100-continue", "Upgrade: h2c",
        "X-Request-Id: a", "X: y\r\n z", "Host: localhost", "Host: evil.example", "Accept: text/html", "X\u{0}: y",
        "Waymark-User: ada", "Waymark-User: bob", "Authorization: Bearer x", "X: \u{e9}", "If-Match: \"1\"", "X Y: z",
        "X-Forwarded-For: 203.0.113.7", "x-forwarded-: x", "Via: 1.1 x", "forwarded: for=x", "X-REAL-IP: x",
        "X-Forwarded: x",
        "Content-Length: +1", "X: \u{7f}", "Connection: ", "Accept: ", ": x", "Content-Length: 3, 3", "Keep-Alive: 5",
    ]

    private static func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
        var request = generator.pick(plain)
        while generator.oneIn(2), let end = request.firstRange(of: "\r\n") {
            request.insert(contentsOf: generator.pick(lines) + "\r\n", at: end.upperBound)
        }
        var bytes = Array(request.utf8)
        while generator.oneIn(3) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let odd = generator.pick(Array("\r\n\t :\u{0}#%/?\\\"<>[]^`{|}~\u{7f}A0,".utf8) + [0x80, 0xFF])
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[place] = odd
            case 1: bytes.insert(odd, at: place)
            default: bytes.remove(at: place)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<4) func `what is plain has the same answer by the parser's way`(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let service = try TestServer.service()
        var plainCount = 0
        let count = Effort.part(of: 100_000) / 4
        for _ in 0..<count {
            let request = Self.mutated(&generator)
            guard Self.read(request.span) != nil else { continue }
            plainCount += 1
            let whole = try Self.answer(request, in: 0..<1, service)
            // Behind a first byte that came alone, the rest is no plain request.
            let apart = try Self.answer(request, in: 0..<2, service)
            #expect(whole == apart, "\(String(decoding: request, as: UTF8.self).debugDescription)")
        }
        #expect(plainCount * 5 > count, "Hardly any request was plain: \(plainCount) of \(count).")
    }

    /// Returns the outcome of a request that arrives in so many pieces: the bytes sent, and the parts passed on.
    private static func answer(
        _ request: [UInt8],
        in pieces: Range<Int>,
        _ service: TestService
    ) throws -> [String] {
        let connection = try EmbeddedConnection(service)
        var answers: [String] = []
        for piece in pieces.count == 1 ? [request[...]] : [request.prefix(1), request.dropFirst()] {
            let outcome = try connection.sendAll(piece)
            answers += outcome.deferred
            for line in outcome.text.split(separator: "\r\n") {
                let varies = ["Date: ", "X-Request-Id: "].contains { line.hasPrefix($0) }
                // A continuation has an id of its own.
                let shown = ReceivedResponse.withoutID(Array(line.utf8), of: "")
                if !varies { answers.append(String(decoding: shown, as: UTF8.self)) }
            }
        }
        return answers + [connection.deferredBody]
    }

    @Test func `a host is checked unless it is the last one that was`() {
        var texts = RepeatedTexts()
        func isPlain(_ lines: String) -> Bool {
            let bytes = Array("GET / HTTP/1.1\r\n\(lines)\r\n".utf8)
            return PlainRequest(bytes.span, among: &texts, for: UnaskedResponder()) { _ in "" } != nil
        }
        #expect(isPlain("Host: localhost\r\n"))
        #expect(isPlain("Host: localhost\r\n"))
        // A request that is refused, or not there yet, makes nothing known.
        for _ in 0..<2 {
            #expect(!isPlain(""))
            #expect(!isPlain("Host: a,b\r\n"))
            #expect(!isPlain("Host: a,b"))
            #expect(!isPlain("Host: localhost\r\nHost: localhost\r\n"))
            #expect(!isPlain("Host: localhost\r\nHost: a,b\r\n"))
        }
        #expect(isPlain("Host: localhost:8080\r\n"))
    }
}

/// A responder that answers nothing: requests are only read.
private final class UnaskedResponder: ConnectionResponder {
    let (wantsPeer, addsFields, isObserved) = (false, false, false)
    let keptByteCount = 0
    var peer: SocketAddress?

    func wantedFields(for target: Span<UInt8>) -> RequestFields.Wanted { .none }

    func route(
        _ target: String,
        pathByteCount: Int,
        by method: HTTPRequest.Method,
        fields: borrowing RequestFields
    ) -> RequestForm {
        RequestForm(takesLines: false, needsNoHost: false)
    }

    func expect(_ head: RequestHead) {}
    func begin(_ head: RequestHead, length: RequestBodyLength, whole body: ByteBuffer?) -> ResponseStep { .readBody }
    func deferring(_ head: RequestHead) -> any DeferredRequest { UnaskedRequest(head: head) }
    func take(_ part: ByteBuffer) -> ResponseStep { .readBody }
    func end() -> ResponseStep { .readBody }
    func takeKeptBytes() -> [UInt8] { [] }
    func addedFields(for head: RequestHead?, allow methods: String?) -> HTTPFields { [:] }
    func answered(_ head: RequestHead, status: Int, hasChallenge: Bool) {}
    func refused(_ head: RequestHead?, status: Int, newID: String) {}
    func abandon() {}
}

private final class UnaskedRequest: DeferredRequest {
    let head: RequestHead
    let isAnsweredWhole = true

    init(head: RequestHead) {
        self.head = head
    }

    func response(body: RequestBody) async -> ServerResponse { ServerResponse(status: .ok) }
}
