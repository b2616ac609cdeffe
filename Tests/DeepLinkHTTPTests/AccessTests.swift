import DeepLinkCore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import DeepLinkHTTP

/// Walks every endpoint as every kind of caller.
@Suite struct AccessTests {
    /// Lists the callers, with the credentials that they send.
    enum Kind: String, CaseIterable {
        case nobody, basic, empty, unknown, mistyped, expired, revoked, resolver, admin

        var authorization: String? {
            switch self {
            case .nobody: nil
            case .basic: "Basic YWRtaW46YWRtaW4="
            case .empty: "Bearer "
            case .unknown: "Bearer \(ServiceTokenText().text)"
            case .mistyped: "Bearer \(TestToken.admin.text.dropLast())x"
            case .expired: "Bearer \(TestToken.expired.text)"
            case .revoked: "Bearer \(TestToken.revoked.text)"
            case .resolver: "bearer \(TestToken.resolver.text)"
            case .admin: "Bearer \(TestToken.admin.text)"
            }
        }

        /// The status for an endpoint; `nil` where the caller gets through to it.
        func refusal(_ access: Access) -> Int? {
            switch (self, access) {
            case (_, .everyone), (.admin, _), (.resolver, .resolving), (.resolver, .services): nil
            case (.resolver, .administration): 403
            default: 401
            }
        }
    }

    /// Every endpoint, and the paths that none has.
    private static let targets: [(method: HTTPRequest.Method, path: String, access: Access)] =
        WaymarkRouter.endpoints.map { ($0.method, $0.path.replacing("{id}", with: "ada"), $0.access) } + [
            (.get, "/onboarding", .resolving), (.get, "/", .resolving), (.get, "/nowhere", .resolving),
            (.get, "/v1/nothing", .resolving), (.put, "/v1/resolve", .resolving), (.options, "/v1/users", .resolving),
        ]

    @Test(arguments: Kind.allCases)
    func `every endpoint lets in whom its access says, and nobody else`(_ kind: Kind) async throws {
        try await TestServer.application(.tokens)
            .test(.router) { client in
                for target in Self.targets {
                    var headers: HTTPFields = [.contentType: "application/json"]
                    headers[.authorization] = kind.authorization
                    let response = try await client.execute(
                        uri: target.path,
                        method: target.method,
                        headers: headers,
                        body: ByteBuffer(string: "{}")
                    )
                    let what = "\(kind) \(target.method) \(target.path)"
                    guard let refusal = kind.refusal(target.access) else {
                        #expect(![401, 403].contains(response.status.code), "\(what)")
                        continue
                    }
                    #expect(response.status.code == refusal, "\(what)")
                    let challenge = response.headers[.wwwAuthenticate] ?? ""
                    #expect(challenge.hasPrefix(#"Bearer realm="waymark""#), "\(what)")
                    let body = String(buffer: response.body)
                    #expect(body.contains(refusal == 401 ? "authentication-required" : "insufficient-scope"))
                }
            }
    }

    @Test func `every access is some endpoint's`() {
        for access in Access.allCases { #expect(Self.targets.contains { $0.access == access }) }
    }

    @Test func `a refused write changes nothing, and a granted one names its author`() async throws {
        try await TestServer.application(.tokens)
            .test(.router) { client in
                let body = ByteBuffer(string: #"{"authorizationLevel":"premiumUser"}"#)
                var headers: HTTPFields = [.contentType: "application/json"]
                headers[.authorization] = Kind.resolver.authorization
                _ = try await client.execute(uri: "/v1/users/ada", method: .post, headers: headers, body: body)
                headers[.authorization] = Kind.admin.authorization
                let before = try await client.execute(uri: "/v1/users/ada", method: .get, headers: headers)
                #expect(before.status == .notFound)
                _ = try await client.execute(uri: "/v1/users/ada", method: .post, headers: headers, body: body)
                let history = try await client.execute(uri: "/v1/users/ada/history", method: .get, headers: headers)
                #expect(String(buffer: history.body).contains(#""by":"token 2157k31dz93f""#))
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
