import DeepLinkFormats
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Checks that no text costs more than fifty times a plain one of its size, wherever a client's text goes.
///
/// `scripts/prove cost` prints the costs.
@Suite(.serialized) struct RequestCostTests {
    private static let prints = ProcessInfo.processInfo.environment["WAYMARK_TEST_PRINT"] != nil

    /// The length of a body's text in bytes: as many as a body may have, or enough to tell a square from a line.
    private static let bodyByteCount =
        ProcessInfo.processInfo.environment["WAYMARK_TEST_FULL"] != nil ? 1_000_000 : Effort.size(128_000)

    /// As many bytes as a header field or a target may have.
    private static let fieldByteCount = 16_000

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }.joined()
    }

    private func compare(
        _ name: String,
        _ port: Int,
        byteCount: Int,
        _ request: @escaping @Sendable (String) -> String
    ) async throws {
        let worst = Array(request(WorstText.text(byteCount: byteCount)).utf8)
        let plain = Array(request(WorstText.plain(byteCount: byteCount)).utf8)
        let ratio = try await CostRatio(
            ofProcess: {
                _ = try await RawConnection(port: port).exchangeUntilClose(worst)
            },
            over: {
                _ = try await RawConnection(port: port).exchangeUntilClose(plain)
            }
        )
        if Self.prints { print("\(name.padding(toLength: 44, withPad: " ", startingAt: 0)) \(ratio)") }
        #expect(ratio.isWithinLimit, "\(name): \(ratio)")
    }

    private func withServer(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await TestServer.application(endUsers: try await TestIssuer.verifier())
            .whileServing { port in try await body(port) }
    }

    private func withOpenServer(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await TestServer.application().whileServing { port in try await body(port) }
    }

    private static let head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"

    @Test func `no header field costs more than its length`() async throws {
        let names = [
            "Accept", "Connection", "Content-Type", "Content-Length", "Transfer-Encoding", "Expect", "Upgrade",
            "If-Match", "If-None-Match", "Authorization", "Waymark-User", "Cookie", "X-Forwarded-For", "Forwarded",
            "Origin",
            "X-Request-Id", "traceparent", "Idempotency-Key", "User-Agent", "Accept-Language", "X-Anything",
        ]
        try await withOpenServer { port in
            for name in names {
                for target in ["GET /healthz", "GET /v1/catalog", "GET /openapi.json", "POST /v1/users/u"] {
                    try await compare("\(name) of \(target)", port, byteCount: Self.fieldByteCount) { text in
                        "\(target) \(Self.head)\(name): \(text)\r\n\r\n"
                    }
                }
            }
        }
    }

    @Test func `no target costs more than its length`() async throws {
        let targets = [
            "/", "/v1/", "/v1/users/", "/v1/users/u/history?after=", "/v1/users?after=", "/v1/users?limit=",
            "/v1/resolve?", "/v1/resolve?link=navigation:/", "/v1/resolve?link=navigation:/x%3F",
            "/v1/resolve?link=navigation:/onboarding&mode=", "/v1/resolve?link=navigation:/onboarding&user=",
            "/v1/resolve?link=navigation:/onboarding&from=", "/v1/resolve?link=navigation:/onboarding&partial=",
            "/v1/resolve?explain=true&link=navigation:/characters/character/", "/characters/", "/settings?",
            "/characters/character/1?sheet=", "http://", "http://localhost/", "/v1/qr-code?link=navigation:/",
            "/v1/counts?by=", "/v1/counts?by=code&code=",
        ]
        try await withOpenServer { port in
            for target in targets {
                try await compare("GET \(target)…", port, byteCount: Self.fieldByteCount) { text in
                    "GET \(target)\(text) \(Self.head)\r\n"
                }
                try await compare("GET \(target)… encoded", port, byteCount: Self.fieldByteCount / 3) { text in
                    "GET \(target)\(Self.percentEncoded(text)) \(Self.head)\r\n"
                }
            }
            try await compare("Host", port, byteCount: Self.fieldByteCount) { text in
                "GET /healthz HTTP/1.1\r\nHost: \(text)\r\nConnection: close\r\n\r\n"
            }
            try await compare("method", port, byteCount: Self.fieldByteCount) { text in
                "\(text) /healthz \(Self.head)\r\n"
            }
        }
    }

    /// The bodies of every endpoint, with a text in each place.
    private static let bodies: [(path: String, body: @Sendable (String) -> String)] = [
        ("/v1/resolve", { #"{"\#($0)":0}"# }), ("/v1/resolve", { #"{"link":"\#($0)"}"# }),
        ("/v1/resolve", { #"{"link":"navigation:/login","mode":"\#($0)"}"# }),
        ("/v1/resolve", { #"{"link":"navigation:/login","user":"\#($0)"}"# }),
        ("/v1/resolve", { #"{"link":"navigation:/login","from":"\#($0)"}"# }),
        ("/v1/resolve", { #"{"link":"navigation:/login","from":[{"route":"\#($0)","presentation":"root"}]}"# }),
        ("/v1/resolve", { #"{"link":"navigation:/login","from":[{"route":"tabBar","presentation":"\#($0)"}]}"# }),
        (
            "/v1/resolve",
            { #"{"link":"navigation:/login","from":[{"route":"tabBar","presentation":"custom:\#($0)"}]}"# }
        ),
        ("/v1/resolve", { #"{"link":"navigation:/login","from":[{"\#($0)":"tabBar","presentation":"root"}]}"# }),
        (
            "/v1/resolve",
            {
                #"{"link":"navigation:/login","from":[{"route":"tabBar","presentation":"root","#
                    + #""parameters":{"\#($0)":1}}]}"#
            }
        ),
        (
            "/v1/resolve",
            {
                #"{"link":"navigation:/login","from":[{"route":"tabBar","presentation":"root"},"#
                    + #"{"route":"characters","presentation":"tab"},"#
                    + #"{"route":"character","presentation":"push","parameters":{"id":1}},"#
                    + #"{"route":"characterSheet","presentation":"sheet","parameters":{"title":"\#($0)"}}]}"#
            }
        ),
        ("/v1/links", { #"{"stack":[{"route":"\#($0)","presentation":"root"}]}"# }),
        ("/v1/links", { #"{"stack":[{"route":"onboarding","presentation":"root"}],"scheme":"\#($0)"}"# }),
        ("/v1/continuations", { #"{"token":"\#($0)","user":"u"}"# }),
        ("/v1/continuations", { #"{"token":"\#($0).\#($0)","user":"u"}"# }),
        ("/v1/continuations", { #"{"token":"t","user":"\#($0)"}"# }),
        ("/v1/users/u", { #"{"authorizationLevel":"\#($0)"}"# }),
        ("/v1/users/u", { #"{"authorizationLevel":"none","validUntil":"\#($0)"}"# }),
        ("/v1/users/u", { #"{"authorizationLevel":"none","levelAfter":"\#($0)"}"# }),
        ("/v1/users/u", { #"{"\#($0)":"none"}"# }), ("/v1/users/u", { #""\#($0)""# }),
        ("/v1/resolve/batch", { #"{"\#($0)":0}"# }), ("/v1/resolve/batch", { #"{"link":"\#($0)"}"# }),
        ("/v1/resolve/batch", { $0 }), ("/v1/associations/test", { #"{"url":"\#($0)","platform":"ios","file":{}}"# }),
        ("/v1/associations/test", { #"{"url":"https://a.test/","platform":"\#($0)"}"# }),
        ("/v1/associations/test", { #"{"url":"https://a.test/","platform":"ios","domain":"\#($0)","file":{}}"# }),
        ("/v1/associations/test", { #"{"url":"https://a.test/","platform":"ios","file":"\#($0)"}"# }),
        ("/v1/users?atomic=true", { #"{"id":"\#($0)","authorizationLevel":"none"}"# }), ("/v1/users", { $0 }),
        ("/v1/users", { #"{"id":"u","authorizationLevel":"none","at":"\#($0)"}"# }),
    ]

    private static func post(_ path: String, _ body: String) -> String {
        let type =
            path.hasSuffix("batch") || path.hasPrefix("/v1/users?") || path == "/v1/users"
            ? "application/x-ndjson" : "application/json"
        return "POST \(path) \(head)Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(arguments: bodies.indices)
    func `no text of a body costs more than its length`(_ index: Int) async throws {
        let (path, body) = Self.bodies[index]
        try await withOpenServer { port in
            try await compare("\(path) \(body("…"))", port, byteCount: Self.bodyByteCount) { text in
                Self.post(path, body(text))
            }
            // The same spelled in escapes, a sixth as many.
            try await compare("\(path) \(body("\\u"))", port, byteCount: Self.bodyByteCount / 4) { text in
                Self.post(path, body(text.utf16.map { String(format: "\\u%04x", $0) }.joined()))
            }
        }
    }

    @Test func `no body costs more for how it is built`() async throws {
        let count = Self.bodyByteCount
        let repeated: @Sendable (String, Int) -> String = { String(repeating: $0, count: count / $1) }
        let bodies: [(String, String)] = [
            ("numbers", #"{"link":"navigation:/login","from":[\#(repeated("0,", 2))0]}"#),
            ("empty arrays", #"{"link":"navigation:/login","from":[\#(repeated("[],", 3))0]}"#),
            ("empty objects", #"{"link":"navigation:/login","from":[\#(repeated("{},", 3))0]}"#),
            ("brackets", repeated("[", 1)),
            ("keys", "{" + (0..<count / 12).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"),
            ("escapes", #"{"link":"\#(repeated("\\u0041", 6))"}"#), ("spaces", "{" + repeated(" ", 1) + "}"),
            (
                "parameters",
                #"{"link":"navigation:/login","from":[{"route":"tabBar","presentation":"root","parameters":{"#
                    + (0..<count / 12).map { "\"p\($0)\":0" }.joined(separator: ",") + "}}]}"
            ),
        ]
        try await withOpenServer { port in
            for (name, body) in bodies {
                let plain = Self.post(
                    "/v1/resolve",
                    #"{"link":"\#(WorstText.plain(byteCount: body.utf8.count - 12))"}"#
                )
                let ratio = try await CostRatio(
                    ofProcess: {
                        _ = try await RawConnection(port: port)
                            .exchangeUntilClose(Array(Self.post("/v1/resolve", body).utf8))
                    },
                    over: {
                        _ = try await RawConnection(port: port).exchangeUntilClose(Array(plain.utf8))
                    }
                )
                if Self.prints { print("a body of \(name): \(ratio)") }
                #expect(ratio.isWithinLimit, "\(name): \(ratio)")
            }
        }
    }

    /// As many bytes as the file of an association may have, with the rest of its body.
    private static let fileByteCount = 60_000

    /// Files of both platforms that cost most for their bytes.
    private static let files: [(name: String, platform: String, file: String)] = {
        func apple(_ components: String, _ variables: String = "{}", defaults: String = "{}") -> String {
            #"{"applinks":{"substitutionVariables":\#(variables),"defaults":\#(defaults),"details":[{"appIDs":["A"],"#
                + #""components":[\#(components)]}]}}"#
        }
        func android(_ rules: String) -> String {
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
                + #""package_name":"a.b"},"relation_extensions":{"delegate_permission/common.handle_all_urls":{"#
                + #""dynamic_app_link_components":[\#(rules)]}}}]"#
        }
        func repeated(_ text: String, _ separator: String = "", share: Int = 1) -> String {
            let count = fileByteCount / share / (text.utf8.count + separator.utf8.count)
            return Array(repeating: text, count: count).joined(separator: separator)
        }
        func members(_ value: String) -> String {
            (0..<fileByteCount / 20).map { "\"k\($0)\":\"\(value)\"" }.joined(separator: ",")
        }
        let variable = "{\"v\":[\(repeated("\"a*a*a*a*\"", ",", share: 2))]}"
        return ["alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang", "none"]
            .map { ("$(\($0))", "ios", apple("{\"/\":\"/\(repeated("$(\($0))"))\"}")) } + [
                ("a variable of many values", "ios", apple("{\"/\":\"/\(repeated("$(v)", share: 2))\"}", variable)),
                ("values of stars", "ios", apple("{\"/\":\"/$(v)$(v)*x\"}", "{\"v\":[\(repeated("\"*\"", ","))]}")),
                ("stars", "ios", apple("{\"/\":\"/\(repeated("*a"))x\"}")),
                ("brackets without an end", "ios", apple("{\"/\":\"/\(repeated("$("))\"}")),
                ("many components", "ios", apple(repeated("{\"/\":\"b\"}", ","))),
                (
                    "many components, decoded", "ios",
                    apple(repeated("{\"/\":\"b\"}", ","), defaults: #"{"percentEncoded":false,"caseSensitive":false}"#)
                ), ("many items of a query", "ios", apple("{\"?\":{\(members("*"))}}")),
                ("names twice", "ios", "{\(members("a")),\(members("b"))}"),
                ("many rules", "android", android(repeated("{\"/\":\"*b*c\"}", ","))),
                ("many items of a query", "android", android("{\"?\":{\(members("v*w*x"))}}")),
                ("a long pattern", "android", android("{\"/\":\"\(repeated("*a"))\"}")),
            ]
    }()

    @Test(arguments: files.indices)
    func `no association file costs more than its length`(_ index: Int) async throws {
        let (name, platform, file) = Self.files[index]
        let url =
            "https://a.test/" + String(repeating: "%61", count: 1_000) + "?" + String(repeating: "k=v&", count: 1_000)
        func body(_ file: String) -> String {
            let text = file.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return Self.post("/v1/associations/test", #"{"url":"\#(url)","platform":"\#(platform)","file":"\#(text)"}"#)
        }
        let worst = Array(body(file).utf8)
        let plain = Array(body("{\"a\":\"\(WorstText.plain(byteCount: file.utf8.count))\"}").utf8)
        try await withOpenServer { port in
            let ratio = try await CostRatio(
                ofProcess: {
                    _ = try await RawConnection(port: port).exchangeUntilClose(worst)
                },
                over: {
                    _ = try await RawConnection(port: port).exchangeUntilClose(plain)
                }
            )
            if Self.prints { print("a file of \(platform), \(name): \(ratio)") }
            #expect(ratio.isWithinLimit, "\(name): \(ratio)")
        }
    }

    @Test func `a body that is read and kept counts as what is kept`() async throws {
        // 2,000 lines of 39 bytes are less than may arrive; what is kept of them is more.
        let load = ServerLoad(maximumWork: 1024, maximumArrivingBytes: 200_000)
        func request(_ count: Int) -> [UInt8] {
            let line = "{\"id\":\"u\",\"authorizationLevel\":\"none\"}\n"
            return Array(Self.post("/v1/users?atomic=true", String(repeating: line, count: count)).utf8)
        }
        try await TestServer.application(load: load)
            .whileServing { port in
                let few = try await RawConnection(port: port).exchangeUntilClose(request(100))
                #expect(few.contains("HTTP/1.1 200 "), "\(few.prefix(500))")
                let many = try await RawConnection(port: port).exchangeUntilClose(request(2_000))
                #expect(many.contains("urn:waymark:problem:overloaded"), "\(many.prefix(500))")
            }
    }

    @Test func `no token costs more than its length before it is verified`() async throws {
        let headers: [@Sendable (String) -> String] = [
            { #"{"alg":"ES256","kid":"\#($0)"}"# }, { #"{"alg":"\#($0)","kid":"es"}"# }, { #"{"\#($0)":0}"# },
            { #"{"alg":"ES256","kid":"es","crit":["\#($0)"]}"# },
        ]
        try await withServer { port in
            for header in headers {
                try await compare("JWT \(header("…"))", port, byteCount: 2_500) { text in
                    let token = Base64URL.encode(Array(header(text).utf8)) + ".e30.AAAA"
                    return "GET /v1/catalog \(Self.head)Authorization: Bearer \(token)\r\n\r\n"
                }
            }
            for prefix in ["", "wm_", "wm_000000000000_"] {
                try await compare("token \(prefix)…", port, byteCount: 15_000) { text in
                    "GET /v1/catalog \(Self.head)Authorization: Bearer \(prefix)\(text)\r\n\r\n"
                }
            }
        }
    }

    @Test func `a problem is no echo`() async throws {
        let long = WorstText.plain(byteCount: 1_000_000)
        try await withOpenServer { port in
            for (path, body) in Self.bodies {
                let answer = try await RawConnection(port: port)
                    .exchangeUntilClose(Array(Self.post(path, body(long)).utf8))
                #expect(answer.utf8.count < 32_000, "\(path) \(body("…"))")
            }
        }
    }
}
