import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// The grants that end users' tokens give, and those that their apps assert.
@Suite struct TokenGrantTests {
    /// An end user whose token is a new one at each step.
    private struct Client {
        let client: any TestClientProtocol

        func post(
            _ path: String,
            _ body: String,
            claims: String,
            holds: String? = nil
        ) async throws -> (status: Int, text: String) {
            let token = try await TestIssuer.shared.value.curve.token(claims)
            var headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(token)"]
            if let holds, let name = HTTPField.Name("Waymark-Holds") { headers[name] = holds }
            let response = try await client.execute(
                uri: path,
                method: .post,
                headers: headers,
                body: ByteBuffer(string: body)
            )
            return (response.status.code, String(buffer: response.body))
        }
    }

    private func withClient(
        grants: EndUserGrants = EndUserGrants(claim: "grants"),
        _ body: @Sendable @escaping (Client) async throws -> Void
    ) async throws {
        let levels = EndUserLevels(claim: "level", levels: ["member": try #require(LevelName("member"))])
        let verifier = try await TestIssuer.verifier(levels: levels, grants: grants)
        try await TestServer.application(.grants, endUsers: verifier)
            .test(.router) { try await body(Client(client: $0)) }
    }

    private static func claims(level: String = "member", grants: String) -> String {
        TestIssuer.claims(["level": "\"\(level)\"", "grants": grants])
    }

    @Test(
        arguments: [
            (#"["kyc"]"#, 200), (#"["identified","other"]"#, 200), (#""kyc""#, 200), (#"["KYC"]"#, 403), ("[]", 403),
            (#"[["kyc"]]"#, 403), (#"["pro"]"#, 403), ("null", 403),
        ]
    )
    func `a claim gives the grants that it names`(_ grants: String, _ status: Int) async throws {
        try await withClient { client in
            let answer = try await client.post(
                "/v1/resolve",
                #"{"link":"bank:/transfer"}"#,
                claims: Self.claims(grants: grants),
                holds: "unlocked"
            )
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test func `words of a claim give the grants that they stand for, and no others`() async throws {
        let byWord: [ByteText: GrantName] = ["plus": try #require(GrantName("pro"))]
        try await withClient(grants: EndUserGrants(claim: "grants", byWord: byWord)) { client in
            for (grants, status) in [(#"["plus"]"#, 200), (#"["pro"]"#, 403), (#"["free","plus"]"#, 200)] {
                let claims = Self.claims(level: "none", grants: grants)
                let answer = try await client.post("/v1/resolve", #"{"link":"bank:/news"}"#, claims: claims)
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test func `an end user asks for no grants`() async throws {
        try await withClient { client in
            let claims = Self.claims(grants: "[]")
            let body = #"{"link":"bank:/news","level":"member","grants":["pro"]}"#
            let answer = try await client.post("/v1/resolve", body, claims: claims)
            #expect(answer.status == 403 && answer.text.contains("insufficient-scope"))
        }
    }

    @Test func `one continuation leads through gates of levels and grants, and keeps nothing that the app asserted`()
        async throws
    {
        try await withClient { client in
            let link = #"{"link":"bank:/transfer"}"#
            let first = try await client.post("/v1/resolve", link, claims: Self.claims(level: "none", grants: "[]"))
            #expect(first.status == 403 && first.text.contains(#""gate":{"level":"welcomed""#))
            let token = try #require(first.text.firstMatch(of: /"continuation":"([^"]+)"/)).1
            let steps: [(level: String, grants: String, holds: String?, gate: String?)] = [
                ("none", "[]", "welcomed", #""gate":{"level":"member""#),
                ("none", "[]", nil, #""gate":{"level":"welcomed""#),
                ("member", "[]", nil, #""gate":{"grant":"kyc""#),
                ("member", "[\"kyc\"]", nil, #""gate":{"grant":"unlocked""#),
                ("member", "[\"kyc\"]", "unlocked", nil),
                ("member", "[\"kyc\"]", nil, #""gate":{"grant":"unlocked""#),
            ]
            for step in steps {
                let answer = try await client.post(
                    "/v1/continuations",
                    #"{"token":"\#(token)"}"#,
                    claims: Self.claims(level: step.level, grants: step.grants),
                    holds: step.holds
                )
                guard let gate = step.gate else {
                    #expect(answer.status == 200, "\(answer.text)")
                    continue
                }
                #expect(answer.text.contains(gate), "\(answer.text)")
                #expect(answer.text.contains("\"continuation\":\"\(token)\""))
            }
        }
    }

    @Test func `the source is the app's where an asserted level is the higher one`() async throws {
        try await withClient { client in
            for (level, holds, source) in [
                ("none", "welcomed", "app"), ("none", nil, "state"), ("member", "welcomed", "token"),
            ] {
                let claims = Self.claims(level: level, grants: "[]")
                let body = #"{"link":"bank:/unlock"}"#
                let answer = try await client.post("/v1/resolve", body, claims: claims, holds: holds)
                #expect(answer.text.contains("\"source\":\"\(source)\"}"), "\(answer.text)")
            }
        }
    }
}
