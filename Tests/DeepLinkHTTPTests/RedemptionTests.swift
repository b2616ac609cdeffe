import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of the stack that a redemption sends, and of the user that a token is bound to.
@Suite struct RedemptionTests {
    private struct ReceivedResponse {
        let status: Int
        let json: [UInt8]

        func member(_ name: String) throws -> String? { try CanonicalJSON.member(name, of: json) }

        func gate(_ name: String) throws -> String? {
            guard let gate = try member("gate") else { return nil }
            return try CanonicalJSON.member(name, of: Array(gate.utf8))
        }
    }

    private static func post(
        _ path: String,
        _ body: String,
        fields: HTTPFields = [:],
        _ client: any TestClientProtocol
    ) async throws -> ReceivedResponse {
        let response = try await client.execute(
            uri: path,
            method: .post,
            headers: [.contentType: "application/json"] + fields,
            body: ByteBuffer(string: body)
        )
        return ReceivedResponse(status: response.status.code, json: Array(response.body.readableBytesView))
    }

    private static func set(_ level: String, _ client: any TestClientProtocol) async throws {
        _ = try await post("/v1/users/ada", #"{"authorizationLevel":"\#(level)"}"#, client)
    }

    /// Resolves a link that is refused, and returns the token in quotation marks.
    private static func token(_ body: String, _ client: any TestClientProtocol) async throws -> String {
        let refusal = try await post("/v1/resolve", body, client)
        #expect(refusal.status == 403)
        return try #require(try refusal.member("continuation"))
    }

    private static func redeem(
        _ token: String,
        _ client: any TestClientProtocol,
        _ rest: String = ""
    ) async throws -> ReceivedResponse {
        try await post("/v1/continuations", #"{"token":\#(token),"user":"ada"\#(rest)}"#, client)
    }

    private static let login = #"[{"route":"login","presentation":"root"}]"#
    private static let tabs =
        #"[{"route":"tabBar","presentation":"root"},{"route":"characters","presentation":"tab"}]"#

    @Test(arguments: [
        // The token's own stack decides nothing: the app shows something else by now.
        ("", nil),
        (#","from":[]"#, "0,0,3"),
        (#","from":\#(login)"#, "0,1,3"),
        (#","from":\#(tabs)"#, "2,0,1"),
        (#","from":"navigation:/login""#, "0,1,3"),
        (#","from":"navigation:/characters/character/1""#, "3,0,0"),
    ])
    func `the stack that is shown decides the transition`(_ rest: String, _ want: String?) async throws {
        try await TestServer.application()
            .test(.router) { client in
                let token = try await Self.token(
                    #"{"link":"navigation:/characters/character/1","from":\#(Self.tabs)}"#,
                    client
                )
                try await Self.set("signedInUser", client)
                let grant = try await Self.redeem(token, client, rest)
                #expect(grant.status == 200)
                #expect(try Self.counts(grant.member("transition")) == want)
            }
    }

    @Test func `what does not fit the catalog is read as far as it does`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                let token = try await Self.token(#"{"link":"navigation:/characters"}"#, client)
                try await Self.set("signedInUser", client)
                let shown = #"[{"route":"tabBar","presentation":"root"},{"route":"biography","presentation":"push"}]"#
                let grant = try await Self.redeem(token, client, #","from":\#(shown)"#)
                let transition = try grant.member("transition")
                #expect(try Self.counts(transition) == "1,1,1")
                #expect(transition?.contains(#""unknownFrom":1"#) == true)
                let fault = try await Self.redeem(token, client, #","from":7"#)
                #expect(fault.status == 400)
                #expect(try fault.member("field") == #""from""#)
                #expect(try fault.member("reason") == #""wrong-type""#)
            }
    }

    @Test func `a further gate has the way from what is shown`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                let token = try await Self.token(#"{"link":"navigation:/settings","from":[]}"#, client)
                try await Self.set("onboardingCompleted", client)
                let shown = #"[{"route":"onboarding","presentation":"root"}]"#
                let gated = try await Self.redeem(token, client, #","from":\#(shown)"#)
                #expect(gated.status == 403)
                #expect(try Self.counts(gated.gate("transition")) == "0,1,1")
                #expect(try await Self.redeem(token, client).gate("transition") == nil)
            }
    }

    @Test func `a gate over what is shown is presented once, and goes with the grant`() async throws {
        try await TestServer.application(.grants)
            .test(.router) { client in
                try await Self.set("member", client)
                _ = try await client.execute(uri: "/v1/users/ada/grants/kyc", method: .put)
                let token = try await Self.token(#"{"link":"bank:/transfer","user":"ada","from":[]}"#, client)
                let news = #"{"route":"home","presentation":"root"},{"route":"news","presentation":"push"}"#
                let gate = #"{"route":"unlock","presentation":"fullScreenCover"}"#
                for (shown, want) in [(news, "2,0,1"), ("\(news),\(gate)", "3,0,0")] {
                    let gated = try await Self.redeem(token, client, #","from":[\#(shown)]"#)
                    #expect(gated.status == 403)
                    #expect(try Self.counts(gated.gate("transition")) == want)
                }
                let granted = try await Self.redeem(
                    token,
                    client,
                    #","holds":["unlocked"],"from":[\#(news),\#(gate)]"#
                )
                #expect(granted.status == 200)
                #expect(try Self.counts(granted.member("transition")) == "1,2,1")
            }
    }

    @Test func `an appended link continues from the stack of its request, whatever is shown`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                let body = #"{"link":"character/7","mode":"append","from":\#(Self.tabs)}"#
                let token = try await Self.token(body, client)
                try await Self.set("signedInUser", client)
                for (rest, want) in [
                    (#","from":\#(Self.tabs)"#, "2,0,1"), (#","from":\#(Self.login)"#, "0,1,3"), ("", nil),
                ] {
                    let grant = try await Self.redeem(token, client, rest)
                    #expect(grant.status == 200)
                    #expect(try Self.counts(grant.member("transition")) == want)
                    #expect(try grant.member("stack")?.contains(#""id":7"#) == true)
                }
            }
    }

    @Test func `a key that is repeated with another stack is refused`() async throws {
        try await TestServer.application()
            .test(.router) { client in
                let token = try await Self.token(#"{"link":"navigation:/characters"}"#, client)
                try await Self.set("signedInUser", client)
                let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k"]
                var answers: [ReceivedResponse] = []
                for stack in [Self.login, Self.tabs, Self.login] {
                    let body = #"{"token":\#(token),"user":"ada","from":\#(stack)}"#
                    answers.append(try await Self.post("/v1/continuations", body, fields: key, client))
                }
                #expect(answers.map(\.status) == [200, 422, 200])
                #expect(answers[0].json == answers[2].json)
            }
    }

    @Test func `a token that an end user got is redeemed by that user alone`() async throws {
        let keys = try await TestIssuer.shared.value.curve
        let levels = EndUserLevels(minimum: .signedInUser)
        try await TestServer.application(.anonymous, endUsers: TestIssuer.verifier(levels: levels))
            .test(.router) { client in
                func bearer(_ subject: String?) throws -> HTTPFields {
                    let token =
                        try subject.map { try keys.token(TestIssuer.claims(["sub": "\"\($0)\""])) } ?? keys.token()
                    return [.authorization: "Bearer \(token)"]
                }
                let question = #"{"link":"navigation:/characters/character/1?sheet=x"}"#
                // The third answer is one that was kept.
                for _ in 0..<3 {
                    let refusal = try await Self.post("/v1/resolve", question, fields: bearer(nil), client)
                    #expect(refusal.status == 403)
                    let token = try #require(try refusal.member("continuation"))
                    let other = try await Self.post(
                        "/v1/continuations",
                        #"{"token":\#(token)}"#,
                        fields: bearer("bob"),
                        client
                    )
                    #expect(other.status == 410)
                    #expect(try other.member("type") == #""urn:waymark:problem:continuation-spent""#)
                    // It spent nothing, and bound nobody.
                    let own = try await Self.post(
                        "/v1/continuations",
                        #"{"token":\#(token)}"#,
                        fields: bearer(nil),
                        client
                    )
                    #expect(own.status == 403)
                    #expect(try own.member("continuation") == token)
                }
            }
    }

    /// Returns a transition in short: how many destinations stay, go and come.
    private static func counts(_ transition: String?) throws -> String? {
        guard let transition else { return nil }
        let json = Array(transition.utf8)
        guard case .object(let members) = try JSONParser.parse(json), case .array(let present)? = members["present"]
        else { return transition }
        let numbers = try ["keep", "dismiss"].map { try CanonicalJSON.member($0, of: json) ?? "" }
        return (numbers + ["\(present.count)"]).joined(separator: ",")
    }
}
