import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

@Suite struct ContinuationTests {
    private struct Client {
        let client: any TestClientProtocol

        func post(_ path: String, _ body: String) async throws -> (status: Int, json: [UInt8]) {
            let response = try await client.execute(
                uri: path,
                method: .post,
                headers: [.contentType: "application/json"],
                body: ByteBuffer(string: body)
            )
            return (response.status.code, Array(response.body.readableBytesView))
        }

        /// Resolves a link that is refused, and returns the token.
        func token(_ body: String) async throws -> String {
            let (status, json) = try await post("/v1/resolve", body)
            #expect(status == 403)
            let value = try JSONParser.parse(json)
            guard case .object(let members) = value, case .string(let token)? = members["continuation"] else {
                Issue.record("no continuation: \(String(decoding: json, as: UTF8.self))")
                return ""
            }
            return token
        }

        func redeem(
            _ token: String,
            _ user: String,
            app: String? = nil
        ) async throws -> (status: Int, code: String, json: [UInt8]) {
            let (status, json) = try await post(
                "/v1/continuations",
                "{\"token\":\"\(token)\",\"user\":\"\(user)\"\(app.map { ",\"app\":\"\($0)\"" } ?? "")}"
            )
            let type = try CanonicalJSON.member("type", of: json) ?? ""
            return (status, String(type.dropFirst("\"urn:waymark:problem:".count).dropLast()), json)
        }

        func set(_ user: String, _ level: String) async throws {
            _ = try await post("/v1/users/\(user)", "{\"authorizationLevel\":\"\(level)\"}")
        }
    }

    private func withClient(
        _ circumstance: TestServer.Circumstance = .usual,
        now: @escaping @Sendable () -> Timestamp = { TestServer.now },
        _ body: @Sendable @escaping (Client) async throws -> Void
    ) async throws {
        try await TestServer.application(circumstance, now: now).test(.router) { try await body(Client(client: $0)) }
    }

    @Test func `a continuation of a signed link outlives the link, and not its key`() async throws {
        let clock = Mutex(TestServer.now.millisecondsSinceEpoch)
        let now: @Sendable () -> Timestamp = { Timestamp(millisecondsSinceEpoch: clock.withLock(\.self)) }
        let end = Timestamp(millisecondsSinceEpoch: TestServer.now.millisecondsSinceEpoch + 60_000)
        let application = try TestServer.application(.signed, serviceTokens: [], now: now)
        let keys = application.service.signingKeys
        try await application.test(.router) { router in
            let client = Client(client: router)
            let (_, json) = try await client.post(
                "/v1/links",
                #"{"route":"offer","parameters":{"code":"x"},"sign":true,"expires":"\#(end.rfc3339)"}"#
            )
            let question = "{\"link\":\(try CanonicalJSON.member("link", of: json) ?? "")}"
            let token = try await client.token(question)
            clock.withLock { $0 = end.millisecondsSinceEpoch }
            let (status, late) = try await client.post("/v1/resolve", question)
            #expect(status == 403)
            #expect(try CanonicalJSON.member("reason", of: late) == "\"expired\"")
            try await client.set("ada", "signedInUser")
            #expect(try await client.redeem(token, "ada").status == 200)
            keys.replace(with: [])
            #expect(try await client.redeem(token, "ada").code == "invalid-signature")
        }
    }

    @Test(arguments: [3000, 8000])
    func `the token of a long link, and of a long way to it, is whole`(_ length: Int) async throws {
        try await withClient { client in
            let long = String(repeating: "x", count: length)
            for body in [
                #"{"link":"navigation:/settings?q=\#(long)"}"#,
                #"{"link":"navigation:/settings","from":"navigation:/onboarding?q=\#(long)"}"#,
            ] {
                let token = try await client.token(body)
                #expect(token.utf8.count > length)
                #expect(try await client.redeem(token, "ada").code == "insufficient-authorization-level")
            }
        }
    }

    private static let premium = #"{"link":"navigation:/characters/character/1?sheet=test"}"#

    @Test func `a stranger is led gate by gate to the premium screen`() async throws {
        try await withClient { client in
            let token = try await client.token(Self.premium)
            // Each step: what the next gate gives, and that the same token goes on.
            for (gate, level) in [
                ("onboardingCompleted", "onboardingCompleted"), ("signedInUser", "signedInUser"),
                ("premiumUser", "premiumUser"),
            ] {
                let refusal = try await client.redeem(token, "ada")
                #expect(refusal.status == 403)
                let json = String(decoding: refusal.json, as: UTF8.self)
                #expect(json.contains("\"gate\":{\"level\":\"\(gate)\","), "\(json)")
                #expect(json.contains("\"continuation\":\"\(token)\""))
                try await client.set("ada", level)
            }
            let grant = try await client.redeem(token, "ada")
            #expect(grant.status == 200)
            #expect(String(decoding: grant.json, as: UTF8.self).contains("\"route\":\"characterSheet\""))
            // Its own user may have lost the answer, and gets the same bytes again.
            let again = try await client.redeem(token, "ada")
            #expect(again.status == 200)
            #expect(again.json == grant.json)
            try await client.set("bob", "premiumUser")
            let other = try await client.redeem(token, "bob")
            #expect((other.status, other.code) == (410, "continuation-spent"))
        }
    }

    @Test func `a granted token is resolved at the level that counts then`() async throws {
        try await withClient { client in
            let token = try await client.token(Self.premium)
            try await client.set("ada", "premiumUser")
            let grant = try await client.redeem(token, "ada")
            #expect(grant.status == 200)
            try await client.set("ada", "signedInUser")
            let refusal = try await client.redeem(token, "ada")
            #expect((refusal.status, refusal.code) == (403, "insufficient-authorization-level"))
            #expect(String(decoding: refusal.json, as: UTF8.self).contains("\"continuation\":\"\(token)\""))
            try await client.set("ada", "premiumUser")
            #expect(try await client.redeem(token, "ada").json == grant.json)
        }
    }

    @Test func `a redemption takes the app of its own request`() async throws {
        try await withClient(.appVersions) { client in
            // The app that was refused, for its user's level, is updated on the way.
            let token = try await client.token(#"{"link":"shop:///basket","app":"ios/3.10"}"#)
            let old = try await client.redeem(token, "ada", app: "ios/3.9")
            #expect((old.status, old.code) == (403, "app-update-required"))
            let gated = try await client.redeem(token, "ada", app: "ios/3.11")
            #expect((gated.status, gated.code) == (403, "insufficient-authorization-level"))
            try await client.set("ada", "signedInUser")
            #expect(try await client.redeem(token, "ada", app: "ios/3.9").code == "app-update-required")
            let grant = try await client.redeem(token, "ada", app: "ios/3.11")
            #expect(grant.status == 200)
            #expect(try CanonicalJSON.member("requiresApp", of: grant.json) == nil)
            let unsaid = try await client.redeem(token, "ada")
            #expect(unsaid.status == 200)
            #expect(try CanonicalJSON.member("requiresApp", of: unsaid.json) == #"{"ios":"3.10"}"#)
            #expect(try await client.redeem(token, "ada", app: "3.11").code == "invalid-request")
        }
    }

    @Test func `of 64 users who redeem at once one is granted`() async throws {
        try await withClient { client in
            let token = try await client.token(Self.premium)
            for number in 0..<64 { try await client.set("user\(number)", "premiumUser") }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<64 { group.addTask { try await client.redeem(token, "user\(number)").status } }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            // The others are told that it is another user's or, later, that it is spent.
            #expect(statuses[200] == 1 && (statuses[400] ?? 0) + (statuses[410] ?? 0) == 63, "\(statuses)")
        }
    }

    @Test func `the first user binds a token, even where refused`() async throws {
        try await withClient { client in
            let token = try await client.token(Self.premium)
            #expect(try await client.redeem(token, "ada").status == 403)
            try await client.set("bob", "premiumUser")
            let other = try await client.redeem(token, "bob")
            #expect((other.status, other.code) == (400, "invalid-continuation"))
            #expect(try CanonicalJSON.member("reason", of: other.json) == "\"other-user\"")
        }
    }

    @Test func `mode and current stack go on`() async throws {
        try await withClient { client in
            try await client.set("ada", "premiumUser")
            let stack = #"[{"route":"tabBar","presentation":"root"},{"route":"characters","presentation":"tab"}]"#
            for from in [stack, #""navigation:/characters""#] {
                let token = try await client.token(#"{"link":"character/7","mode":"append","from":"# + from + "}")
                let grant = try await client.redeem(token, "ada")
                #expect(grant.status == 200)
                #expect(String(decoding: grant.json, as: UTF8.self).contains(#""transition":{"keep":2,"dismiss":0"#))
            }
        }
    }

    @Test func `a token expires to the second`() async throws {
        let clock = Mutex(TestServer.now.millisecondsSinceEpoch)
        let now: @Sendable () -> Timestamp = { Timestamp(millisecondsSinceEpoch: clock.withLock(\.self)) }
        try await withClient(now: now) { client in
            let token = try await client.token(Self.premium)
            clock.withLock { $0 += 600_000 }
            #expect(try await client.redeem(token, "ada").status == 403)
            clock.withLock { $0 += 1 }
            let late = try await client.redeem(token, "ada")
            #expect((late.status, late.code) == (410, "continuation-expired"))
        }
    }

    @Test func `a token that was changed in any way is refused`() async throws {
        try await withClient { client in
            let token = try await client.token(Self.premium)
            var generator = SeededGenerator(seed: 3)
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=".utf8)
            for round in 0..<500 {
                var bytes = Array(token.utf8)
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch round % 3 {
                case 0: bytes[place] = generator.pick(alphabet)
                case 1: bytes.remove(at: place)
                default: bytes.insert(generator.pick(alphabet), at: place)
                }
                let changed = String(decoding: bytes, as: UTF8.self)
                guard changed != token else { continue }
                let refusal = try await client.redeem(changed, "ada")
                #expect((refusal.status, refusal.code) == (400, "invalid-continuation"), "\(changed)")
            }
            // The refusals wrote nothing: the token is still anyone's.
            #expect(try await client.redeem(token, "bob").status == 403)
        }
    }

    @Test func `while a key is replaced, the new one signs, and both verify`() throws {
        let request = ResolutionRequest(link: try DeepLink("navigation:/settings"))
        let (old, new) = (TestServer.key, [UInt8](repeating: 9, count: 32))
        let former = try #require(ContinuationSettings(keys: [old], lifetime: 60))
        let both = try #require(ContinuationSettings(keys: [new, old], lifetime: 60))
        let later = try #require(ContinuationSettings(keys: [new], lifetime: 60))
        let continuation = Continuation(request, at: TestServer.now, lifetime: 60)
        let (early, late) = (try #require(continuation.token(former.key)), try #require(continuation.token(both.key)))
        #expect(early != late && late == continuation.token(later.key))
        for token in [early, late] {
            #expect(try Continuation(token, verifiedBy: both.verifyingKeys).request == request)
        }
        #expect(try Continuation(late, verifiedBy: later.verifyingKeys).request == request)
        #expect(throws: Problem.self) { try Continuation(early, verifiedBy: later.verifyingKeys) }
        #expect(throws: Problem.self) { try Continuation(late, verifiedBy: former.verifyingKeys) }
        #expect(throws: Problem.self) { try Continuation(early, verifiedBy: []) }
        #expect(ContinuationSettings(keys: [], lifetime: 60) == nil)
        #expect(ContinuationSettings(keys: [new, [1]], lifetime: 60) == nil)
    }

    @Test func `a token of another key is refused`() throws {
        let request = ResolutionRequest(link: try DeepLink("navigation:/settings"))
        let settings = try #require(ContinuationSettings(keys: [TestServer.key], lifetime: 60))
        let other = try #require(ContinuationSettings(keys: [TestServer.key.reversed()], lifetime: 60))
        let continuation = Continuation(request, at: TestServer.now, lifetime: 60)
        let token = try #require(continuation.token(settings.key))
        #expect(try Continuation(token, verifiedBy: [settings.key]).request == request)
        #expect(throws: Problem.self) { try Continuation(token, verifiedBy: [other.key]) }
        #expect(ContinuationSettings(keys: [[UInt8](repeating: 1, count: 31)], lifetime: 60) == nil)
    }
}
