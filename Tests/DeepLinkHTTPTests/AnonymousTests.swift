import DeepLinkAuthentication
import DeepLinkCore
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of the answers to callers without credentials that may resolve.
@Suite struct AnonymousTests {
    private static let open = "/v1/resolve?link=navigation%3A%2Fonboarding"
    private static let refused = "/v1/resolve?link=navigation%3A%2Fsettings"

    @Test(arguments: [
        ("\(open)&user=ada", ""), (open, "ada"), (open, "\u{7f}"), ("\(open)&user=", ""), ("/onboarding", "ada"),
    ])
    func `nobody names a user`(_ target: String, _ user: String) async throws {
        try await TestServer.application(.anonymous)
            .test(.router) { client in
                var headers: HTTPFields = [:]
                let name = try #require(HTTPField.Name("Waymark-User"))
                if !user.isEmpty { headers[name] = user }
                let response = try await client.execute(uri: target, method: .get, headers: headers)
                #expect(response.status == .unauthorized)
                #expect(String(buffer: response.body).contains("authentication-required"))
            }
    }

    @Test func `a server without any credentials is not open to nobody either`() async throws {
        let tokens = try await ServiceTokens(InMemoryServiceTokenStore())
        let authentication = Authentication(serviceTokens: tokens, letsAnonymousResolve: true)
        try await TestServer.application(authentication: authentication)
            .test(.router) { client in
                for (target, status) in [(Self.open, 200), ("/v1/users/ada", 401), ("/v1/catalog", 401)] {
                    let response = try await client.execute(uri: target, method: .get)
                    #expect(response.status.code == status, "\(target)")
                }
            }
    }

    @Test func `the flow works from the first tap to the place behind the gate`() async throws {
        let levels = EndUserLevels(minimum: .signedInUser)
        let token = try await TestIssuer.shared.value.curve.token()
        try await TestServer.application(.anonymous, endUsers: TestIssuer.verifier(levels: levels))
            .test(.router) { client in
                let first = try await client.execute(uri: Self.refused, method: .get)
                #expect(first.status == .forbidden)
                let body = String(buffer: first.body)
                #expect(body.contains(#""userLevel":"none","gate":{"level":"onboardingCompleted""#))
                let continuation = try #require(body.firstMatch(of: /"continuation":"([^"]+)"/)).1
                let json = ByteBuffer(string: "{\"token\":\"\(continuation)\"}")
                var headers: HTTPFields = [.contentType: "application/json"]
                let path = "/v1/continuations"
                let early = try await client.execute(uri: path, method: .post, headers: headers, body: json)
                #expect(early.status == .unauthorized)
                headers[.authorization] = "Bearer \(token)"
                let redeemed = try await client.execute(uri: path, method: .post, headers: headers, body: json)
                #expect(redeemed.status == .ok)
                #expect(String(buffer: redeemed.body).contains(#""user":"signedInUser","source":"token"}"#))
            }
    }
}
