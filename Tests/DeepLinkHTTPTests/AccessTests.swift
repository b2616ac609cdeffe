import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStorage
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Every endpoint, called by every kind of caller.
@Suite struct AccessTests {
    /// Lists the callers, with the credentials that they send.
    enum Kind: String, CaseIterable {
        case nobody, basic, empty, unknown, mistyped, expired, revoked, resolver, monitor, granter, publisher, admin
        case endUser, formerUser, foreignUser, unsignedUser

        func authorization() async throws -> String? {
            let keys = try await TestIssuer.shared.value
            return switch self {
            case .nobody: nil
            case .basic: "Basic YWRtaW46YWRtaW4="
            case .empty: "Bearer "
            case .unknown: "Bearer \(ServiceTokenText().text)"
            case .mistyped: "Bearer \(TestToken.admin.text.dropLast())x"
            case .expired: "Bearer \(TestToken.expired.text)"
            case .revoked: "Bearer \(TestToken.revoked.text)"
            case .resolver: "bearer \(TestToken.resolver.text)"
            case .monitor: "Bearer \(TestToken.monitor.text)"
            case .granter: "Bearer \(TestToken.granter.text)"
            case .publisher: "Bearer \(TestToken.publisher.text)"
            case .admin: "Bearer \(TestToken.admin.text)"
            case .endUser: "Bearer \(try keys.curve.token())"
            case .formerUser: "Bearer \(try keys.curve.token(TestIssuer.claims(["exp": "1"])))"
            case .foreignUser: "Bearer \(try await TestIssuer.foreign.value.curve.token())"
            case .unsignedUser: "Bearer \(try keys.curve.token(header: #"{"alg":"none","kid":"es"}"#))"
            }
        }

        /// The status for an endpoint; `nil` if the caller gets through to it.
        func refusal(_ access: Access) -> Int? {
            switch (self, access) {
            case (_, .everyone), (.admin, _), (.resolver, .resolvingLinks), (.endUser, .resolvingLinks),
                (.resolver, .resolving), (.resolver, .services), (.endUser, .resolving), (.monitor, .monitoring),
                (.monitor, .readingCounts), (.granter, .granting), (.publisher, .publishing),
                (.publisher, .makingShortLinks),
                (.publisher, .resolvingLinks), (.publisher, .resolving), (.publisher, .services),
                (.publisher, .readingCounts), (.endUser, .makingShortLinks):
                nil
            case (.resolver, .administration), (.resolver, .countingUsers), (.resolver, .monitoring),
                (.resolver, .readingCounts), (.resolver, .granting), (.resolver, .publishing),
                (.resolver, .makingShortLinks), (.publisher, _), (.monitor, _), (.granter, _),
                (.endUser, _):
                403
            default: 401
            }
        }
    }

    /// Every endpoint, and the paths that none has.
    private static func targets() throws -> [(method: HTTPRequest.Method, path: String, access: Access)] {
        try TestServer.endpoints()
            .map {
                (
                    $0.method,
                    $0.path.replacing("{id}", with: "ada").replacing("{name}", with: "pro")
                        .replacing("{code}", with: "spring"), $0.access
                )
            } + [
                (.get, "/onboarding", .resolvingLinks), (.get, "/", .resolvingLinks),
                (.get, "/nowhere", .resolvingLinks),
                (.post, "/nowhere", .resolving),
                (.get, "/v1/nothing", .resolving), (.put, "/v1/resolve", .resolving),
                (.options, "/v1/users", .resolving),
            ]
    }

    /// Sends a request to every endpoint as a kind of caller, and looks at what comes back.
    private func askAll(
        _ circumstance: TestServer.Circumstance,
        as kind: Kind,
        _ check: @Sendable (_ access: Access, _ response: TestResponse, _ what: String) -> Void
    ) async throws {
        let authorization = try await kind.authorization()
        try await TestServer.application(circumstance, endUsers: TestIssuer.verifier())
            .test(.router) { client in
                for target in try Self.targets() {
                    var headers: HTTPFields = [.contentType: "application/json"]
                    headers[.authorization] = authorization
                    let response = try await client.execute(
                        uri: target.path,
                        method: target.method,
                        headers: headers,
                        body: ByteBuffer(string: "{}")
                    )
                    check(target.access, response, "\(kind) \(target.method) \(target.path)")
                }
            }
    }

    /// Whether credentials are refused; a level that is too low is an answer.
    private static func isRefused(_ response: TestResponse) -> Bool {
        response.status == .unauthorized
            || response.status == .forbidden && String(buffer: response.body).contains("insufficient-scope")
    }

    @Test(arguments: Kind.allCases)
    func `every endpoint lets in whom its access says, and nobody else`(_ kind: Kind) async throws {
        try await askAll(.tokens, as: kind) { access, response, what in
            guard let refusal = kind.refusal(access) else {
                #expect(!Self.isRefused(response), "\(what)")
                return
            }
            #expect(response.status.code == refusal, "\(what)")
            let challenge = response.headers[.wwwAuthenticate] ?? ""
            #expect(challenge.hasPrefix(#"Bearer realm="waymark""#), "\(what)")
            let body = String(buffer: response.body)
            #expect(body.contains(refusal == 401 ? "authentication-required" : "insufficient-scope"))
        }
    }

    @Test(arguments: [
        Kind.nobody, .basic, .empty, .unknown, .formerUser, .resolver, .monitor, .granter, .publisher, .admin, .endUser,
    ])
    func `where nobody may resolve, who has no credentials does that, and nothing else`(_ kind: Kind) async throws {
        try await askAll(.anonymous, as: kind) { access, response, what in
            let passes = kind == .nobody && access == .resolvingLinks
            if let refusal = passes ? nil : kind.refusal(access) {
                #expect(response.status.code == refusal, "\(what)")
            } else {
                #expect(!Self.isRefused(response), "\(what)")
            }
        }
    }

    @Test func `every access is some endpoint's`() throws {
        let targets = try Self.targets()
        for access in Access.allCases { #expect(targets.contains { $0.access == access }) }
    }

    @Test func `a refused write changes nothing, and a granted one names its author`() async throws {
        try await TestServer.application(.tokens)
            .test(.router) { client in
                let body = ByteBuffer(string: #"{"authorizationLevel":"premiumUser"}"#)
                var headers: HTTPFields = [.contentType: "application/json"]
                headers[.authorization] = "Bearer \(TestToken.resolver.text)"
                _ = try await client.execute(uri: "/v1/users/ada", method: .post, headers: headers, body: body)
                headers[.authorization] = "Bearer \(TestToken.admin.text)"
                let before = try await client.execute(uri: "/v1/users/ada", method: .get, headers: headers)
                #expect(before.status == .notFound)
                _ = try await client.execute(uri: "/v1/users/ada", method: .post, headers: headers, body: body)
                let history = try await client.execute(uri: "/v1/users/ada/history", method: .get, headers: headers)
                #expect(String(buffer: history.body).contains(#""by":"token 2157k31dz93f""#))
            }
    }

    @Test func `a user's token resolves as that user, whatever else is named`() async throws {
        let token = try await TestIssuer.shared.value.curve.token()
        let store = InMemoryUserStateStore()
        for (id, level) in [("ada", AuthorizationLevel.premiumUser), ("bob", .signedInUser)] {
            let write = UserStateWrite(
                id: try #require(UserID(id)),
                level: try #require(LevelAssignment(level: level)),
                time: TestServer.now,
                author: "test"
            )
            _ = try await store.save(write)
        }
        try await TestServer.application(.tokens, store: store, endUsers: TestIssuer.verifier())
            .test(.router) { client in
                let link = "link=navigation%3A%2Fsettings"
                for (query, user, status) in [
                    ("", nil, 200), ("&user=ada", nil, 200), ("", "ada", 200), ("&user=bob", nil, 403),
                    ("", "bob", 403), ("&user=bob", "bob", 403), ("&user=bob", "ada", 400),
                ] {
                    var headers: HTTPFields = [.authorization: "Bearer \(token)"]
                    if let name = HTTPField.Name("Waymark-User") { headers[name] = user }
                    let response = try await client.execute(
                        uri: "/v1/resolve?\(link)\(query)",
                        method: .get,
                        headers: headers
                    )
                    #expect(response.status.code == status, "\(query) \(user ?? "-")")
                    let body = String(buffer: response.body)
                    if status == 200 { #expect(body.contains(#""user":"premiumUser""#)) }
                    if status == 403 { #expect(body.contains("insufficient-scope")) }
                    let surface = try await client.execute(uri: "/settings", method: .get, headers: headers)
                    #expect(surface.status.code == (user == "bob" ? 403 : 200))
                }
                let lines =
                    #"{"link":"navigation:/settings"}"# + "\n" + #"{"link":"navigation:/settings","user":"bob"}"#
                let batch = try await client.execute(
                    uri: "/v1/resolve/batch",
                    method: .post,
                    headers: [.authorization: "Bearer \(token)", .contentType: "application/x-ndjson"],
                    body: ByteBuffer(string: lines)
                )
                let answers = String(buffer: batch.body).split(separator: "\n")
                #expect(answers.first?.contains(#""user":"premiumUser""#) == true)
                #expect(answers.last?.contains("insufficient-scope") == true)
            }
    }

    @Test(arguments: [Kind.resolver, .publisher, .admin, .endUser, .nobody])
    func `who may resolve gets the link of a stack, and only an admin a signature`(_ kind: Kind) async throws {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.authorization] = try await kind.authorization()
        let fields = headers
        let stack = #"{"stack":[{"route":"onboarding","presentation":"root"}]"#
        try await TestServer.application(.anonymous, endUsers: TestIssuer.verifier())
            .test(.router) { client in
                func body(_ text: String) async throws -> String {
                    let body = ByteBuffer(string: text)
                    let response = try await client.execute(
                        uri: "/v1/links",
                        method: .post,
                        headers: fields,
                        body: body
                    )
                    return String(buffer: response.body)
                }
                let link = try await body(stack + "}")
                #expect(link == #"{"link":"navigation://loremipsum.com/onboarding"}"#)
                let refusal =
                    switch kind {
                    case .admin: "has no keys that sign links"
                    case .nobody: "authentication-required"
                    default: #""required":"admin""#
                    }
                let signed = try await body(stack + #","sign":true}"#)
                #expect(signed.contains(refusal), "\(signed)")
            }
    }

    @Test func `a user's token redeems continuations for that user`() async throws {
        let token = try await TestIssuer.shared.value.edwards.token()
        try await TestServer.application(.tokens, endUsers: TestIssuer.verifier())
            .test(.router) { client in
                let headers: HTTPFields = [.authorization: "Bearer \(token)", .contentType: "application/json"]
                let refused = try await client.execute(
                    uri: "/v1/resolve?link=navigation%3A%2Fsettings",
                    method: .get,
                    headers: headers
                )
                let body = String(buffer: refused.body)
                let continuation = try #require(body.firstMatch(of: /"continuation":"([^"]+)"/)).1
                for (user, code) in [
                    (#","user":"bob""#, "insufficient-scope"), ("", "insufficient-authorization-level"),
                ] {
                    let redeemed = try await client.execute(
                        uri: "/v1/continuations",
                        method: .post,
                        headers: headers,
                        body: ByteBuffer(string: "{\"token\":\"\(continuation)\"\(user)}")
                    )
                    #expect(String(buffer: redeemed.body).contains(code))
                }
            }
    }

    @Test func `while there are no keys, users are asked to come back`() async throws {
        let token = try await TestIssuer.shared.value.curve.token()
        let verifier = try TestIssuer.verifier(ofFile: "/dev/null/keys.json")
        try await TestServer.application(endUsers: verifier)
            .test(.router) { client in
                let response = try await client.execute(
                    uri: "/onboarding",
                    method: .get,
                    headers: [.authorization: "Bearer \(token)"]
                )
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "10")
            }
    }

    @Test func `with credentials, the host of the API may be any`() async throws {
        try await TestServer.application(.tokens)
            .test(.router) { client in
                let response = try await client.execute(
                    uri: "/v1/resolve?link=navigation:/onboarding",
                    method: .get,
                    headers: [.authorization: "Bearer \(TestToken.resolver.text)"]
                )
                #expect(response.status == .ok)
            }
    }
}
