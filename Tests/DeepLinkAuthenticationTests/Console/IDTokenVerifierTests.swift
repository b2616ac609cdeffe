import DeepLinkCore
import DeepLinkFormats
import ServerTestSupport
import Testing

@testable import DeepLinkAuthentication

/// Tests of ID tokens, each rule of OpenID Connect Core §3.1.3.7 by a token that breaks it alone.
@Suite struct IDTokenVerifierTests {
    private static let nonce = "the nonce of the login"

    /// A verifier with the public keys of the shared issuer.
    private func verifier() async throws -> IDTokenVerifier {
        let issuer = try await TestIssuer.shared.value
        let (ring, source) = (
            KeyRing(),
            MemorySource(TestIssuer.document([issuer.curve.jwk, issuer.rsa.jwk, issuer.edwards.jwk]), origin: .url)
        )
        let refresher = KeySetRefresher(
            source: source,
            pace: RefreshPace(interval: .seconds(300), spacing: .seconds(3600)),
            owner: "the test",
            ring: ring,
            logger: TestIssuer.logger
        )
        return IDTokenVerifier(
            issuer: TestIssuer.issuer,
            clientID: TestProvider.clientID,
            signatures: TokenSignatureCheck(ring: ring, refresher: refresher)
        )
    }

    private func claims(_ changes: [String: String?] = [:]) -> String {
        TestProvider.claims(issuer: TestIssuer.issuer, nonce: Self.nonce, changes)
    }

    private func refusal(of token: String) async throws -> IDTokenError? {
        let verifier = try await verifier()
        do throws(IDTokenError) {
            _ = try await verifier.claims(of: token, nonce: Self.nonce, at: TestIssuer.now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a good token of each public algorithm is accepted`() async throws {
        let issuer = try await TestIssuer.shared.value
        for key in [issuer.curve, issuer.rsa, issuer.edwards] {
            #expect(try await refusal(of: try key.token(claims())) == nil, "\(key.algorithm)")
        }
    }

    private static let now = TestIssuer.seconds

    @Test(
        arguments: [
            (["iss": #""https://other.example""#], .token(.issuer)),
            (["iss": #""https://id.example/""#], .token(.issuer)),
            (["iss": nil], .token(.issuer)), (["aud": #""other""#], .token(.audience)),
            (["aud": "[]"], .token(.audience)),
            (["aud": nil], .token(.audience)), (["azp": #""other""#], .authorizedParty),
            (["azp": "1"], .authorizedParty),
            (["aud": #"["waymark console","other"]"#], .authorizedParty), (["exp": nil], .token(.missingExpiry)),
            (["exp": "\(now - 31)"], .token(.expired)), (["exp": #""soon""#], .token(.malformedTime)),
            (["nbf": "\(now + 31)"], .token(.notYetValid)), (["iat": nil], .missingIssueTime),
            (["iat": #""now""#], .missingIssueTime), (["iat": "\(now + 31)"], .issuedInFuture(seconds: 31)),
            (["iat": "\(now - 700)"], .issuedTooLongAgo), (["nonce": nil], .nonce), (["nonce": #""another""#], .nonce),
            (["nonce": #"["the nonce of the login"]"#], .nonce), (["sub": nil], .token(.subject)),
            (["sub": #""""#], .token(.subject)),
        ] as [([String: String?], IDTokenError)]
    )
    func `a token that breaks one rule is refused by it`(
        _ changes: [String: String?],
        _ wanted: IDTokenError
    ) async throws {
        let token = try await TestIssuer.shared.value.curve.token(claims(changes))
        #expect(try await refusal(of: token) == wanted)
    }

    @Test(
        arguments: [
            ["aud": #"["waymark console"]"#], ["aud": #"["waymark console","other"]"#, "azp": #""waymark console""#],
            ["azp": #""waymark console""#], ["exp": "\(now - 29)"], ["iat": "\(now + 29)"], ["iat": "\(now - 600).5"],
        ]
    )
    func `a token at the edge of a rule is accepted`(_ changes: [String: String]) async throws {
        let token = try await TestIssuer.shared.value.curve.token(claims(changes.mapValues { $0 }))
        #expect(try await refusal(of: token) == nil)
    }

    @Test func `a token without a signature, by a secret or by another's key is refused`() async throws {
        let (issuer, foreign) = (try await TestIssuer.shared.value, try await TestIssuer.foreign.value)
        let body = Base64URL.encode(Array(claims().utf8))
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + body
        #expect(try await refusal(of: none + ".") == .token(.signature))
        #expect(try await refusal(of: none + ".AAAA") == .token(.algorithm))
        #expect(try await refusal(of: try issuer.secret.token(claims())) == .token(.unknownKey))
        #expect(try await refusal(of: try foreign.curve.token(claims())) == .token(.signature))
        let confused = #"{"alg":"HS256","kid":"\#(issuer.curve.id)"}"#
        #expect(
            try await refusal(of: try issuer.secret.token(header: confused, claims: claims())) == .token(.algorithm)
        )
        let long = try issuer.curve.token(claims(["groups": "\"\(String(repeating: "g", count: 30_000))\""]))
        #expect(try await refusal(of: long) == .token(.tooLong))
        #expect(try await refusal(of: "") == .token(.malformed))
    }

    @Test func `a token with many groups is accepted`() async throws {
        let groups = (0..<200).map { #""6a204bd8-9f1c-4c1a-8f7a-000000000\#($0 + 100)""# }.joined(separator: ",")
        let token = try await TestIssuer.shared.value.rsa.token(claims(["groups": "[\(groups)]"]))
        #expect(token.utf8.count > EndUserToken.maximumByteCount)
        #expect(try await refusal(of: token) == nil)
    }
}
