import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkStorage
import Foundation
import HTTPTypes
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// The levels that end users' tokens give, beside those that are stored.
@Suite struct TokenLevelTests {
    private static let levels = EndUserLevels(
        minimum: .onboardingCompleted,
        claim: "app.plan",
        levels: ["basic": .signedInUser, "gold": .premiumUser]
    )

    /// A store that knows ada, on a level.
    private func store(_ level: AuthorizationLevel?) async throws -> InMemoryUserStateStore {
        let store = InMemoryUserStateStore()
        guard let level else { return store }
        let write = UserStateWrite(
            id: try #require(UserID("ada")),
            level: try #require(LevelAssignment(level: level)),
            time: TestServer.now,
            author: "test"
        )
        _ = try await store.save(write)
        return store
    }

    @Test(
        arguments: [
            (nil, nil, "onboardingCompleted", "token"), (nil, "basic", "signedInUser", "token"),
            (nil, "unknown", "onboardingCompleted", "token"), (.signedInUser, "gold", "premiumUser", "token"),
            (.premiumUser, "basic", "premiumUser", "state"), (.signedInUser, "basic", "signedInUser", "state"),
            (.onboardingCompleted, nil, "onboardingCompleted", "state"),
        ] as [(AuthorizationLevel?, String?, String, String)]
    )
    func `the highest of the stored level and the token's counts, when verified and when remembered`(
        _ stored: AuthorizationLevel?,
        _ plan: String?,
        _ level: String,
        _ source: String
    ) async throws {
        let claims = TestIssuer.claims(plan.map { ["app": "{\"plan\":\"\($0)\"}"] } ?? [:])
        let token = try await TestIssuer.shared.value.curve.token(claims)
        let server = try await TestServer.application(
            .tokens,
            store: store(stored),
            endUsers: TestIssuer.verifier(levels: Self.levels)
        )
        try await server.whileServing { port in
            let connection = try RawConnection(port: port)
            let get = "GET /v1/resolve?link=navigation%3A%2Fonboarding HTTP/1.1\r\nHost: localhost\r\n"
            let request = Array("\(get)Authorization: Bearer \(token)\r\n\r\n".utf8)
            for time in ["verified", "remembered"] {
                let text = try await connection.exchange(request).text
                let want = #""authorizationLevel":{"required":"none","user":"\#(level)","source":"\#(source)"}"#
                #expect(text.contains(want), "\(time): \(text)")
            }
        }
    }

    @Test func `a service that resolves for a user gets the stored level, and no source`() async throws {
        let server = try await TestServer.application(
            .tokens,
            store: store(.signedInUser),
            endUsers: TestIssuer.verifier(levels: Self.levels)
        )
        try await server.whileServing { port in
            let get = "GET /v1/resolve?link=navigation%3A%2Fonboarding&user=ada HTTP/1.1\r\nHost: localhost\r\n"
            let request = Array("\(get)Authorization: Bearer \(TestToken.resolver.text)\r\n\r\n".utf8)
            let text = try await RawConnection(port: port).exchange(request).text
            #expect(text.contains(#"{"required":"none","user":"signedInUser"}"#))
        }
    }
}
