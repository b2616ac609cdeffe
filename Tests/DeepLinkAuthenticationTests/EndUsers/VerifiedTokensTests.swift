import Crypto
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import ServerTestSupport
import Synchronization
import Testing

@testable import DeepLinkAuthentication

@Suite struct VerifiedTokensTests {
    private func at(_ milliseconds: Int64) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: TestIssuer.now.millisecondsSinceEpoch + milliseconds)
    }

    private func digest(_ number: Int) -> SHA256Digest { SHA256.hash(data: Array("\(number)".utf8)) }

    /// The claims of a token that expires some seconds from now, leeway not counted.
    private func claims(expiringIn seconds: Int) throws -> EndUserClaims {
        try EndUserClaims(
            [
                "iss": .string("i"), "aud": .string("a"), "sub": .string("ada"),
                "exp": .integer(Int64(TestIssuer.seconds + seconds)),
            ],
            issuers: ["i"],
            audiences: ["a"],
            at: TestIssuer.now
        )
    }

    @Test func `a token is remembered for 60 seconds`() throws {
        var tokens = VerifiedTokens()
        tokens.insert(digest(1), of: try claims(expiringIn: 3600), at: at(0))
        #expect(tokens.user(of: digest(1), at: at(0))?.id == UserID("ada"))
        #expect(tokens.user(of: digest(1), at: at(59_999))?.id == UserID("ada"))
        #expect(tokens.user(of: digest(1), at: at(60_000)) == nil)
        #expect(tokens.user(of: digest(1), at: at(-1)) == nil)
        #expect(tokens.user(of: digest(2), at: at(0)) == nil)
    }

    @Test func `a token is remembered no longer than it is valid`() throws {
        var tokens = VerifiedTokens()
        tokens.insert(digest(1), of: try claims(expiringIn: -10), at: at(0))
        #expect(tokens.user(of: digest(1), at: at(19_999))?.id == UserID("ada"))
        #expect(tokens.user(of: digest(1), at: at(20_000)) == nil)
    }

    @Test func `the oldest tokens make room`() throws {
        var tokens = VerifiedTokens(capacity: 100)
        for number in 0..<1000 {
            tokens.insert(digest(number), of: try claims(expiringIn: 3600), at: at(0))
            #expect(tokens.count <= 100)
            // The last half of the capacity is always there.
            for last in max(0, number - 49)...number { #expect(tokens.user(of: digest(last), at: at(1)) != nil) }
        }
        #expect(tokens.user(of: digest(0), at: at(1)) == nil)
        for _ in 0..<1000 { tokens.insert(digest(1), of: try claims(expiringIn: 3600), at: at(0)) }
        #expect(tokens.count <= 100)
    }

    @Test func `the verifier looks a token up, and verifies it again when its time is over`() async throws {
        let issuer = try await TestIssuer.shared.value
        let (ring, token) = (KeyRing(VerifiedTokens(capacity: 4)), try issuer.curve.token())
        let verifier = try await TestIssuer.verifier(issuer.document, ring: ring)
        #expect(verifier.cachedUser(of: token, at: at(0)) == nil)
        #expect(try await verifier.user(of: token, at: at(0)).id.text == "ada")
        #expect(verifier.cachedUser(of: token, at: at(59_999))?.id.text == "ada")
        #expect(verifier.cachedUser(of: token, at: at(60_000)) == nil)
        #expect(try await verifier.user(of: token, at: at(60_000)).id.text == "ada")
        #expect(verifier.cachedUser(of: token, at: at(61_000))?.id.text == "ada")
        // It expires 600 seconds from the start, and is refused 30 seconds later.
        #expect(try await verifier.user(of: token, at: at(629_999)).id.text == "ada")
        #expect(verifier.cachedUser(of: token, at: at(630_000)) == nil)
        await #expect(throws: EndUserTokenError.expired) { try await verifier.user(of: token, at: at(630_000)) }
        for number in 0..<20 {
            let other = try issuer.curve.token(TestIssuer.claims(["sub": "\"\(number)\""]))
            #expect(try await verifier.user(of: other, at: at(0)).id.text == "\(number)")
            #expect(ring.state.withLock(\.verified.count) <= 4)
        }
    }

    @Test func `a token does not outlive its key`() async throws {
        let issuer = try await TestIssuer.shared.value
        let (ring, token) = (KeyRing(), try issuer.curve.token())
        let verifier = try await TestIssuer.verifier(issuer.document, ring: ring)
        #expect(try await verifier.user(of: token, at: at(0)).id.text == "ada")
        let generation = try #require(ring.current).generation
        ring.replace(with: try KeySet(TestIssuer.document([issuer.rsa.jwk]), of: .file))
        #expect(verifier.cachedUser(of: token, at: at(0)) == nil)
        #expect(ring.state.withLock(\.verified.count) == 0)
        // A verification that began with the old keys and ends now leaves nothing behind.
        ring.remember(digest(1), of: try claims(expiringIn: 60), at: at(0), generation: generation)
        #expect(ring.state.withLock(\.verified.count) == 0)
    }
}
