import DeepLinkCore
import NIOCore
import ServerTestSupport
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Counts what the observer is told, over every way in which an answer is made.
@Suite struct ResponseObserverTests {
    /// An observer that keeps what it is told.
    private final class Recorder: ResponseObserver {
        private let state = Mutex<[ObservedResponse]>([])

        func answered(_ answer: ObservedResponse) { state.withLock { $0.append(answer) } }

        /// The observed answers: endpoint and status, in order.
        var told: [String] { state.withLock { $0.map { "\($0.endpoint) \($0.status)" } } }

        /// The requests of ``told``: method, template and caller.
        var callers: [String] {
            state.withLock { $0.map { "\($0.method) \($0.template) \($0.caller?.text ?? "-")" } }
        }

        /// The status of each answer with the address of a refused caller.
        var addresses: [String] {
            state.withLock { $0.map { "\($0.status) \($0.refusedAddress ?? "-")" } }
        }

        /// Everything that was told, as text.
        var everything: String { state.withLock { "\($0)" } }

        var ids: [String] { state.withLock { $0.map(\.requestID) } }
    }

    private static let fields = "HTTP/1.1\r\nHost: localhost\r\n"

    private static func post(_ path: String, _ body: String) -> String {
        "POST \(path) \(fields)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Requests that leave the connection open, and what the observer is told of each.
    private static let requests: [(request: String, told: String)] = [
        ("GET /healthz \(fields)\r\n", "GET /healthz 200"),
        ("HEAD /healthz \(fields)\r\n", "GET /healthz 200"),
        ("GET /v1/resolve?link=navigation:/onboarding \(fields)\r\n", "GET /v1/resolve 200"),
        ("GET /v1/resolve?link=navigation:/settings \(fields)\r\n", "GET /v1/resolve 403"),
        (post("/v1/resolve", #"{"link":"navigation:/onboarding"}"#), "POST /v1/resolve 200"),
        (post("/v1/resolve", "{"), "POST /v1/resolve 400"),
        ("GET /onboarding \(fields)\r\n", "web link 200"), ("GET /nowhere \(fields)\r\n", "web link 404"),
        ("GET /v1/nothing \(fields)\r\n", "not found 404"), ("PUT /v1/users \(fields)\r\n", "other method 405"),
        ("OPTIONS /v1/users \(fields)\r\n", "other method 204"),
        ("GET /healthz \(fields)Accept: text/html\r\n\r\n", "GET /healthz 406"),
        ("GET /v1/catalog HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET /v1/catalog 421"),
        ("GET /v1/users \(fields)\r\n", "GET /v1/users 200"),
        ("GET /v1/users/nobody \(fields)\r\n", "GET /v1/users/{id} 404"),
        (post("/v1/users/ada", #"{"authorizationLevel":"none"}"#), "POST /v1/users/{id} 201"),
        ("GET /healthz/fault \(fields)\r\n", "GET /healthz/fault 500"),
        ("GET /healthz \(fields)Content-Length: 1\r\n\r\nx", "GET /healthz 200"),
    ]

    @Test func `every answer is told exactly once, however it is made`() async throws {
        let recorder = Recorder()
        let service = try TestServer.service(observer: recorder)
        try await TestServer.application(service)
            .whileServing { port in
                // One by one, and sent ahead: those behind one that waits are answered by the router.
                let connection = try RawConnection(port: port)
                for (request, _) in Self.requests {
                    _ = try await connection.exchange(Array(request.utf8), isHead: request.hasPrefix("HEAD"))
                }
                let all = Self.requests.filter { !$0.request.hasPrefix("HEAD") && !$0.told.contains("POST /v1/users") }
                let last = "GET /v1/nothing \(Self.fields)Connection: close\r\n\r\n"
                let ahead = all.map(\.request).joined() + last
                _ = try await RawConnection(port: port).exchangeUntilClose(Array(ahead.utf8))
                // Refusals of the connection, of bytes that are none and of requests that are.
                for bytes in ["NONSENSE\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"] {
                    _ = try await RawConnection(port: port).exchangeUntilClose(Array(bytes.utf8))
                }
                let expected =
                    (Self.requests + all).map(\.told) + ["not found 404"] + Array(repeating: "refused 400", count: 3)
                while recorder.told.count < expected.count { try await Task.sleep(for: .milliseconds(5)) }
                #expect(recorder.told == expected)
                #expect(Set(recorder.ids).count == recorder.ids.count)
            }
    }

    @Test func `observers learn who asked, on every way, and neither user nor link`() async throws {
        let recorder = Recorder()
        let service = try TestServer.service(
            .tokens,
            endUsers: try await TestIssuer.verifier(),
            observer: recorder
        )
        let jwt = try await TestIssuer.shared.value.curve.token()
        let admin = "Authorization: Bearer \(TestToken.admin.text)\r\n"
        let resolver = "Authorization: Bearer \(TestToken.resolver.text)\r\n"
        let resolve = "GET /v1/resolve?link=navigation:/onboarding?secret \(Self.fields)"
        let requests = [
            (resolve + resolver, "GET /v1/resolve o6l91m0txllk"),
            ("HEAD /v1/users/secret \(Self.fields)\(admin)", "HEAD /v1/users/{id} 2157k31dz93f"),
            // The first time the token must be verified, which takes waiting; the second time it is known.
            (resolve + "Authorization: Bearer \(jwt)\r\n", "GET /v1/resolve end-user"),
            (resolve + "Authorization: Bearer \(jwt)\r\n", "GET /v1/resolve end-user"),
            ("GET /v1/users/secret \(Self.fields)\(resolver)", "GET /v1/users/{id} o6l91m0txllk"),
            (resolve, "GET /v1/resolve -"), ("GET /healthz \(Self.fields)", "GET /healthz anonymous"),
            ("GET /onboarding?secret \(Self.fields)\(resolver)", "GET web link o6l91m0txllk"),
        ]
        try await TestServer.application(service)
            .whileServing { port in
                let connection = try RawConnection(port: port)
                for (request, _) in requests {
                    let isHead = request.hasPrefix("HEAD")
                    _ = try await connection.exchange(Array((request + "\r\n").utf8), isHead: isHead)
                }
                while recorder.told.count < requests.count { try await Task.sleep(for: .milliseconds(5)) }
            }
        #expect(recorder.callers == requests.map(\.1))
        // An id is made of hexadecimal digits, and one in some hundred has the user's name in it.
        let told = recorder.ids.reduce(recorder.everything) { $0.replacing($1, with: "") }
        for word in ["secret", "navigation", "ada", TestToken.admin.text, jwt] {
            #expect(!told.contains(word), "\(word)")
        }
    }

    @Test func `observers learn the address of a refused caller, and of no other`() async throws {
        let recorder = Recorder()
        let service = try TestServer.service(
            .tokens,
            endUsers: try await TestIssuer.verifier(),
            observer: recorder
        )
        let forwarded = "X-Forwarded-For: 198.51.100.1, 203.0.113.7\r\n"
        let resolver = "Authorization: Bearer \(TestToken.resolver.text)\r\n"
        let unknown = "Authorization: Bearer waymark_nobody\r\n"
        let resolve = "GET /v1/resolve?link=navigation:/onboarding \(Self.fields)"
        let requests = [
            (resolve, "401 127.0.0.1"), (resolve + forwarded, "401 203.0.113.7"),
            (resolve + unknown + forwarded, "401 203.0.113.7"),
            // A token that must be verified, which takes waiting.
            (resolve + "Authorization: Bearer a.b.c\r\n", "401 127.0.0.1"),
            ("GET /v1/users/ada \(Self.fields)\(resolver)", "403 127.0.0.1"),
            (resolve + resolver + forwarded, "200 -"),
            // A link that is denied.
            ("GET /v1/resolve?link=navigation:/settings \(Self.fields)\(resolver)\(forwarded)", "403 -"),
            ("GET /healthz \(Self.fields)\(forwarded)", "200 -"),
        ]
        try await TestServer.application(service)
            .whileServing { port in
                let connection = try RawConnection(port: port)
                for (request, _) in requests { _ = try await connection.exchange(Array((request + "\r\n").utf8)) }
                while recorder.told.count < requests.count { try await Task.sleep(for: .milliseconds(5)) }
            }
        #expect(recorder.addresses == requests.map(\.1))
    }

    @Test(arguments: [
        ("abc-123", true), (String(repeating: "x", count: 128), true), (String(repeating: "x", count: 129), false),
        ("a b", false), ("caf\u{e9}", false), ("", false),
    ])
    func `the id of a request is the client's, or a new one`(_ given: String, _ isTaken: Bool) async throws {
        try await TestServer.application()
            .whileServing { port in
                for target in ["/healthz", "/v1/users", "/v1/nothing"] {
                    let request = "GET \(target) \(Self.fields)X-Request-Id: \(given)\r\n\r\n"
                    let answer = try await RawConnection(port: port).exchange(Array(request.utf8))
                    let id = answer.head.first { $0.hasPrefix("X-Request-Id: ") }?.dropFirst(14)
                    #expect((id.map(String.init) == given) == isTaken, "\(target) \(answer.head)")
                    #expect(id?.isEmpty == false)
                }
            }
    }
}
