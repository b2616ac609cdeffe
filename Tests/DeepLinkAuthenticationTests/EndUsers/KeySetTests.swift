import DeepLinkFormats
import Foundation
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

@Suite struct KeySetTests {
    /// Returns the faults of a document; `nil` if it is a key set.
    private func issues(_ document: [UInt8], _ origin: KeySet.Origin = .file) async -> [String]? {
        do throws(KeySetError) {
            _ = try KeySet(document, of: origin)
            return nil
        } catch {
            guard case .invalid(let issues) = error else { return ["\(error)"] }
            return issues
        }
    }

    @Test func `a file may hold a key of each of the four algorithms`() async throws {
        let issuer = try await TestIssuer.shared.value
        let keys = try KeySet(issuer.document, of: .file)
        #expect(keys.ids == ["ed", "es", "hs", "rs"])
        for key in issuer.all { #expect(keys.key(key.id)?.algorithm.rawValue == key.algorithm) }
        #expect(keys.hasSecrets && keys.faults.isEmpty && keys.foreignCount == 0)
        // Members that say nothing to us do not matter (RFC 7517 §4).
        let more = issuer.edwards.jwk.merging(["x5t": "abc", "alg": "EdDSA", "use": "sig", "ext": "1"]) { _, new in new
        }
        #expect(try KeySet(TestIssuer.document([more]), of: .file).ids == ["ed"])
        let operations = String(decoding: TestIssuer.document([issuer.curve.jwk]), as: UTF8.self)
            .replacing(#"{"crv""#, with: #"{"key_ops":["verify"],"crv""#)
        #expect(try KeySet(Array(operations.utf8), of: .file).ids == ["es"])
    }

    /// Changes to a good key (`nil` removes a member), and what is said of it.
    private static let faults: [(key: String, changes: [String: String?], message: String)] = [
        ("es", ["kty": nil], "The key `es` has no `kty`; write EC, OKP, RSA or oct."),
        ("es", ["kty": "AKP"], "The key `es` has a `kty` that is none of EC, OKP, RSA and oct."),
        ("es", ["use": "enc"], "The key `es` has a `use` that is not `sig`."),
        (
            "es", ["kid": nil],
            "The key at position 1 has no `kid`, by which tokens name it: a text of 1 to 256 bytes without control characters."
        ),
        (
            "es", ["kid": ""],
            "The key at position 1 has no `kid`, by which tokens name it: a text of 1 to 256 bytes without control characters."
        ),
        ("es", ["crv": nil], "The key `es` has no `crv`; write P-256."),
        ("es", ["crv": "P-384"], "The key `es` has a `crv` that is not P-256."),
        ("es", ["alg": "RS256"], "The key `es` has an `alg` that is not ES256, the one for its `kty` here."),
        ("es", ["x": nil], "The key `es` has no `x`."),
        ("es", ["x": "AAAA"], "The key `es` has a `x` of 3 bytes; it must be 32."),
        ("es", ["x": "A+A="], "The key `es` has a `x` that is not base64url without padding (RFC 7515 section 2)."),
        (
            "es", ["x": String(repeating: "A", count: 43), "y": String(repeating: "A", count: 43)],
            "The key `es` has `x` and `y` that aren't a point of the curve P-256."
        ),
        (
            "es", ["d": "AAAA"],
            "The key `es` holds its private part; leave only the public one, and replace the key if others saw it."
        ),
        (
            "rs", ["dq": "AAAA"],
            "The key `rs` holds its private part; leave only the public one, and replace the key if others saw it."
        ),
        ("rs", ["alg": "PS256"], "The key `rs` has an `alg` that is not RS256, the one for its `kty` here."),
        ("rs", ["alg": "none"], "The key `rs` has an `alg` that is not RS256, the one for its `kty` here."),
        ("rs", ["n": "w7w7w7w7"], "The key `rs` has an `n` of 48 bits; make an RSA key of 2048 to 8192 bits."),
        (
            "rs", ["n": Base64URL.encode([0, 0x7F] + [UInt8](repeating: 0xFF, count: 255))],
            "The key `rs` has an `n` of 2047 bits; make an RSA key of 2048 to 8192 bits."
        ),
        ("rs", ["e": "AQ"], "The key `rs` has `n` and `e` that aren't an RSA key; `e` is usually AQAB."),
        ("rs", ["e": "AQABAQABAQAB"], "The key `rs` has `n` and `e` that aren't an RSA key; `e` is usually AQAB."),
        ("ed", ["crv": "X25519"], "The key `ed` has a `crv` that is not Ed25519."),
        ("ed", ["x": "AAAA"], "The key `ed` has a `x` of 3 bytes; it must be 32."),
        ("ed", ["alg": "HS256"], "The key `ed` has an `alg` that is not EdDSA, the one for its `kty` here."),
        (
            "ed", ["x": Base64URL.encode([UInt8](repeating: 0, count: 32))],
            "The key `ed` has an `x` of small order, for which anybody can make signatures; make a new key."
        ),
        (
            "ed", ["x": Base64URL.encode([1] + [UInt8](repeating: 0, count: 30) + [0x80])],
            "The key `ed` has an `x` of small order, for which anybody can make signatures; make a new key."
        ),
        ("hs", ["alg": nil], "The key `hs` has no `alg`, which its `kty` does not settle; write HS256."),
        ("hs", ["alg": "HS512"], "The key `hs` has an `alg` that is not HS256, the one for its `kty` here."),
        ("hs", ["k": nil], "The key `hs` has no `k`."),
        ("hs", ["k": ""], "The key `hs` has no `k`."),
        (
            "hs", ["k": Base64URL.encode([UInt8](repeating: 7, count: 31))],
            "The key `hs` has a secret of 31 bytes; HS256 needs 32 or more (RFC 7518 section 3.2)."
        ),
        (
            "hs", ["k": "c2VjcmV0IQ=="],
            "The key `hs` has a `k` that is not base64url without padding (RFC 7515 section 2)."
        ),
    ]

    @Test(arguments: faults.indices)
    func `a key that cannot be used is named, with the fix and nothing of it`(_ index: Int) async throws {
        let (id, changes, message) = Self.faults[index]
        let issuer = try await TestIssuer.shared.value
        var jwk = try #require(issuer.all.first { $0.id == id }).jwk
        for (name, value) in changes { jwk[name] = value }
        #expect(await issues(TestIssuer.document([jwk])) == [message])
        // One bad key spoils a file; all of them are told at once, and no value of theirs is repeated.
        let other = issuer.curve.jwk.merging(["kid": "other"]) { _, new in new }
        let all = await issues(TestIssuer.document([jwk, other, ["kty": "oct", "kid": "third"]]))
        #expect(all?.count == 2 && all?.first == message)
        for (name, value) in jwk where ["n", "x", "y", "k", "d", "dq"].contains(name) && value.count > 3 {
            #expect(all?.contains { $0.contains(value) } == false)
        }
        // A URL's bad key is left out, and the others are used.
        let rest = try KeySet(TestIssuer.document([jwk, other]), of: .url)
        #expect(rest.ids == ["other"])
        #expect(rest.foreignCount + rest.faults.count == 1)
        #expect(rest.faults.allSatisfy { $0 == message || $0.contains("is a secret") })
    }

    @Test func `the documented key file is one`() async throws {
        let blocks = try Page("docs/reference/authentication.md").blocks
        let block = try #require(blocks.first { $0.language == "json" })
        #expect(try KeySet(Array(block.text.utf8), of: .file).ids == ["2026-10", "2026-11"])
    }

    @Test func `a secret at a URL is refused`() async throws {
        let issuer = try await TestIssuer.shared.value
        let message = "The key `hs` is a secret (`kty` oct) that anyone can fetch; publish public keys only."
        #expect(await issues(TestIssuer.document([issuer.secret.jwk]), .url) == [message])
        let keys = try KeySet(issuer.document, of: .url)
        #expect(keys.ids == ["ed", "es", "rs"] && keys.faults == [message])
    }

    @Test(arguments: [KeySet.Origin.file, .url])
    func `two keys of one id are refused`(_ origin: KeySet.Origin) async throws {
        let issuer = try await TestIssuer.shared.value
        let twin = issuer.rsa.jwk.merging(["kid": "es"]) { _, new in new }
        let document = TestIssuer.document([issuer.curve.jwk, issuer.edwards.jwk, twin])
        #expect(await issues(document, origin) == ["The key `es` is there twice; give each key a `kid` of its own."])
    }

    @Test func `keys of an identity provider that are for something else are left out and counted`() async throws {
        let issuer = try await TestIssuer.shared.value
        let document = TestIssuer.document([
            issuer.curve.jwk, issuer.rsa.jwk.merging(["kid": "enc", "use": "enc"]) { _, new in new },
            issuer.rsa.jwk.merging(["kid": "oaep", "alg": "RSA-OAEP"]) { _, new in new },
            ["kty": "AKP", "kid": "pq"], issuer.edwards.jwk.merging(["crv": "X25519"]) { _, new in new },
        ])
        let keys = try KeySet(document, of: .url)
        #expect(keys.ids == ["es"] && keys.foreignCount == 4 && keys.faults.isEmpty)
    }

    @Test(arguments: [
        ("", "It is not JSON: at byte 0, a value is expected here."),
        ("{\"keys\":[{\"kid\":\"a\",\"kid\":\"b\"}]}", "It is not JSON: at byte 29, the key `kid` is given twice."),
        ("{\"keys\":{}}", "It isn't a JWK Set (RFC 7517 section 5); write {\"keys\":[…]}."),
        ("{\"kty\":\"oct\"}", "It isn't a JWK Set (RFC 7517 section 5); write {\"keys\":[…]}."),
        ("[]", "It isn't a JWK Set (RFC 7517 section 5); write {\"keys\":[…]}."),
        ("{\"keys\":[]}", "There is no key to verify tokens with."),
        ("{\"keys\":[7]}", "The key at position 1 is a number; write an object."),
        ("{\"keys\":[{\"kty\":7}]}", "The key at position 1 has a `kty` that is a number; write a string."),
    ])
    func `a document that is no key set says why`(_ text: String, _ message: String) async {
        #expect(await issues(Array(text.utf8)) == [message])
        let atURL = await issues(Array(text.utf8), .url)
        #expect(
            message.hasPrefix("It is not JSON")
                ? atURL?[0].hasPrefix("It is not JSON: see byte") == true : atURL == [message]
        )
    }

    @Test func `a set of nothing but faults is told of in short`() async throws {
        let keys = (0..<5000).map { ["kty": "oct", "alg": "HS256", "kid": "\($0)", "k": "AAAA"] }
        let error = #expect(throws: KeySetError.self) {
            _ = try KeySet(TestIssuer.document(keys), of: .url)
        }
        #expect(error?.description.hasSuffix("publish public keys only. There are 5000 issues.") == true)
        #expect(error?.description.utf8.count ?? 0 < 4096)
    }
}
