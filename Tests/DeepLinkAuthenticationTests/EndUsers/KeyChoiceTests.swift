import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import JWTKit
import ServerTestSupport
import Testing

@testable import DeepLinkAuthentication

/// Tests of keys and tokens that say less than they might.
///
/// Keys have no `alg`, tokens no `kid`, and there are several issuers and audiences. What is left out never lets a token choose how a key is used.
@Suite struct KeyChoiceTests {
    /// Returns the answer of a verifier: the user's id, or the name of the refusal.
    private func answer(_ token: String, of verifier: EndUserVerifier) async -> String {
        do throws(EndUserTokenError) {
            return try await verifier.user(of: token, at: TestIssuer.now).id.text
        } catch {
            return error.rawValue
        }
    }

    /// A verifier of keys as a provider publishes them, RSA keys without `alg`.
    private func verifier(_ keys: [TestIssuer.Key], _ origin: KeySet.Origin = .url) async throws -> EndUserVerifier {
        let jwks = keys.map { key in
            key.jwk["kty"] == "RSA" ? key.jwk.filter { $0.key != "alg" }.merging(["use": "sig"]) { $1 } : key.jwk
        }
        let verifier = EndUserVerifier(
            TestIssuer.settings(MemorySource(TestIssuer.document(jwks), origin: origin)),
            logger: TestIssuer.logger
        )
        await verifier.refresher.refreshForUnknownKey()
        return verifier
    }

    /// Every key that a careless verifier could take the bytes of a public key for.
    private func forgers(of key: TestIssuer.Key) async throws -> [TestIssuer.Key] {
        let members = ["n", "e", "x", "y"].compactMap { key.jwk[$0] }
        let spellings =
            members.map { Array($0.utf8) } + members.compactMap { Base64URL.decode($0.utf8) }
            + [TestIssuer.document([key.jwk])]
        var forgers: [TestIssuer.Key] = []
        for secret in spellings where secret.count >= 32 {
            let collection = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            forgers.append(try await TestIssuer.Key(id: key.id, algorithm: "HS256", collection: collection))
        }
        return forgers
    }

    // MARK: Keys without an algorithm

    @Test(arguments: [KeySet.Origin.url, .file])
    func `an RSA key without alg is for RS256`(_ origin: KeySet.Origin) async throws {
        let issuer = try await TestIssuer.shared.value
        let verifier = try await verifier([issuer.rsa, issuer.curve], origin)
        #expect(await answer(try issuer.rsa.token(), of: verifier) == "ada")
        #expect(await answer(try issuer.curve.token(), of: verifier) == "ada")
    }

    @Test(arguments: ["HS256", "HS512", "RS384", "RS512", "PS256", "PS512", "ES256", "EdDSA", "none", "rs256", ""])
    func `a token for it that names another algorithm is refused`(_ algorithm: String) async throws {
        let (issuer, foreign) = (try await TestIssuer.shared.value, try await TestIssuer.foreign.value)
        let verifier = try await verifier([issuer.rsa, issuer.curve])
        for signer in [issuer.rsa, foreign.rsa, foreign.secret] {
            #expect(await answer(try issuer.rsa.forged(by: signer, algorithm: algorithm), of: verifier) == "algorithm")
        }
    }

    @Test func `its public part is no secret, and a foreign key does not sign for it`() async throws {
        let (issuer, foreign) = (try await TestIssuer.shared.value, try await TestIssuer.foreign.value)
        let verifier = try await verifier([issuer.rsa])
        for forger in try await forgers(of: issuer.rsa) {
            #expect(await answer(try forger.token(), of: verifier) == "algorithm")
            #expect(await answer(try issuer.rsa.forged(by: forger, algorithm: "RS256"), of: verifier) == "signature")
            #expect(await answer(try forger.token(header: #"{"alg":"HS256"}"#), of: verifier) == "unknownKey")
            #expect(await answer(try forger.token(header: #"{"alg":"RS256"}"#), of: verifier) == "signature")
        }
        #expect(await answer(try foreign.rsa.token(), of: verifier) == "signature")
    }

    @Test func `keys of another algorithm or purpose are still left out`() async throws {
        let issuer = try await TestIssuer.shared.value
        for change in [["alg": "PS256"], ["alg": "RSA-OAEP"], ["alg": ""], ["use": "enc"]] {
            var jwk = issuer.rsa.jwk.filter { $0.key != "alg" }
            jwk.merge(change) { $1 }
            let keys = try KeySet(TestIssuer.document([jwk, issuer.curve.jwk]), of: .url)
            #expect(keys.ids == ["es"] && keys.foreignCount == 1, "\(change)")
        }
        let secret = issuer.secret.jwk.filter { $0.key != "alg" }
        #expect(throws: KeySetError.self) { try KeySet(TestIssuer.document([secret]), of: .file) }
    }

    // MARK: Tokens without a key's id

    @Test func `a token without kid is verified with the only key for its algorithm`() async throws {
        let (issuer, foreign) = (try await TestIssuer.shared.value, try await TestIssuer.foreign.value)
        let verifier = try await verifier(issuer.all, .file)
        for (key, other) in zip(issuer.all, foreign.all) {
            let header = #"{"alg":"\#(key.algorithm)"}"#
            #expect(await answer(try key.token(header: header), of: verifier) == "ada")
            #expect(await answer(try other.token(header: header), of: verifier) == "signature")
            // An id that is there and names nothing is not a missing one.
            for id in ["\"\"", "null", "[]", "7", "\"other\""] {
                let named = #"{"alg":"\#(key.algorithm)","kid":\#(id)}"#
                #expect(await answer(try key.token(header: named), of: verifier) == "unknownKey", "\(id)")
            }
            for algorithm in ["none", "None", "HS512", "PS256", ""] {
                #expect(await answer(try key.token(header: #"{"alg":"\#(algorithm)"}"#), of: verifier) == "algorithm")
            }
            // Of another algorithm there is another key, which has not signed.
            for wrong in issuer.all where wrong.id != key.id {
                let forged = try key.token(header: #"{"alg":"\#(wrong.algorithm)"}"#)
                #expect(await answer(forged, of: verifier) == "signature")
            }
        }
    }

    @Test func `a public key is no secret without kid either`() async throws {
        let issuer = try await TestIssuer.shared.value
        let publicKeys = [issuer.curve, issuer.rsa, issuer.edwards]
        let (without, with) = (try await verifier(publicKeys), try await verifier(issuer.all, .file))
        for key in publicKeys {
            for forger in try await forgers(of: key) {
                let token = try forger.token(header: #"{"alg":"HS256"}"#)
                #expect(await answer(token, of: without) == "unknownKey")
                #expect(await answer(token, of: with) == "signature")
            }
        }
    }

    @Test func `where several keys are for its algorithm, or none, it is refused`() async throws {
        let issuer = try await TestIssuer.shared.value
        let second = try await TestIssuer.curveKey("es2")
        let verifier = try await verifier([issuer.curve, second, issuer.edwards])
        for key in [issuer.curve, second] {
            #expect(await answer(try key.token(header: #"{"alg":"ES256"}"#), of: verifier) == "unknownKey")
            #expect(await answer(try key.token(), of: verifier) == "ada")
        }
        #expect(await answer(try issuer.edwards.token(header: #"{"alg":"EdDSA"}"#), of: verifier) == "ada")
        #expect(await answer(try issuer.rsa.token(header: #"{"alg":"RS256"}"#), of: verifier) == "unknownKey")
        let jwk = String(decoding: TestIssuer.document([issuer.rsa.jwk]).dropFirst(9).dropLast(2), as: UTF8.self)
        let bringing = #"{"alg":"RS256","jwk":\#(jwk)}"#
        #expect(await answer(try issuer.rsa.token(header: bringing), of: verifier) == "unknownKey")
    }

    // MARK: Issuers and audiences

    @Test(arguments: [
        ("\"https://a.example\"", "\"one\"", "ada"), ("\"https://b.example/\"", "\"api://two\"", "ada"),
        ("\"https://b.example/\"", "[\"other\",\"one\"]", "ada"),
        ("\"https://b.example\"", "\"one\"", "issuer"), ("\"https://A.example\"", "\"one\"", "issuer"),
        ("\"https://a.example,https://b.example/\"", "\"one\"", "issuer"),
        ("[\"https://a.example\"]", "\"one\"", "issuer"), ("null", "\"one\"", "issuer"),
        ("\"https://id.example\"", "\"one\"", "issuer"),
        ("\"https://a.example\"", "\"one,api://two\"", "audience"), ("\"https://a.example\"", "\"two\"", "audience"),
        ("\"https://a.example\"", "[[\"one\"]]", "audience"), ("\"https://a.example\"", "[]", "audience"),
        ("\"https://a.example\"", "\"e\u{301}\"", "audience"), ("\"https://a.example\"", "\"\u{e9}\"", "ada"),
    ])
    func `a token is of one of the issuers, for one of the audiences`(
        _ iss: String,
        _ aud: String,
        _ expected: String
    ) async throws {
        let issuer = try await TestIssuer.shared.value
        let settings = EndUserSettings(
            issuers: ["https://a.example", "https://b.example/"],
            audiences: ["one", "api://two", "\u{e9}"],
            source: MemorySource(issuer.document),
            pace: RefreshPace(interval: .seconds(300), spacing: .seconds(3600))
        )
        let verifier = EndUserVerifier(settings, logger: TestIssuer.logger)
        let token = try issuer.curve.token(TestIssuer.claims(["iss": iss, "aud": aud]))
        #expect(await answer(token, of: verifier) == expected)
    }
}
