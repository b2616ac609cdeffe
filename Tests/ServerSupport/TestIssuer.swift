import Crypto
import CryptoExtras
package import DeepLinkCore
import DeepLinkFormats
package import JWTKit

/// An identity provider with a key of each algorithm, made for the occasion.
package struct TestIssuer: Sendable {
    /// One key: what signs, and what is published.
    package struct Key: Sendable {
        package let id: String
        package let algorithm: String

        /// The key by itself, as jwt-kit keeps it.
        package let collection: JWTKeyCollection

        /// The signer.
        package let signer: any JWTAlgorithm

        /// The JWK that verifies what the key signs.
        package let jwk: [String: String]

        package init(
            id: String,
            algorithm: String,
            collection: JWTKeyCollection,
            jwk: [String: String] = [:]
        ) async throws {
            self.id = id
            self.algorithm = algorithm
            self.collection = collection
            signer = try await collection.getKey()
            self.jwk = jwk
        }

        /// Signs a header and claims, given as JSON.
        package func token(header: String, claims: String) throws -> String {
            let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
            return signed + "." + Base64URL.encode(try signer.sign(Array(signed.utf8)))
        }

        /// Signs claims under the header that belongs to the key.
        package func token(_ claims: String = TestIssuer.claims()) throws -> String {
            try token(header: #"{"alg":"\#(algorithm)","kid":"\#(id)","typ":"JWT"}"#, claims: claims)
        }

        /// Signs good claims under another header.
        package func token(header: String) throws -> String { try token(header: header, claims: TestIssuer.claims()) }

        /// The claims and header of a token with the `alg` and the signer of another key.
        package func forged(by other: Key, algorithm: String) throws -> String {
            try other.token(header: #"{"alg":"\#(algorithm)","kid":"\#(id)","typ":"JWT"}"#)
        }
    }

    /// The default time at which tokens are verified.
    package static let now = Timestamp(millisecondsSinceEpoch: 1_795_000_000_000)

    /// The same in seconds.
    package static let seconds = Int(now.millisecondsSinceEpoch / 1000)

    package static let issuer = "https://id.example"
    package static let audience = "waymark"

    package let secret: Key
    package let curve: Key
    package let rsa: Key
    package let edwards: Key

    /// The keys of the process: RSA keys take long to make.
    package static let shared = Task { try await TestIssuer() }

    /// Another issuer with keys of the same ids.
    package static let foreign = Task { try await TestIssuer() }

    package var all: [Key] { [secret, curve, rsa, edwards] }

    package init() async throws {
        secret = try await Self.secretKey("hs")
        curve = try await Self.curveKey("es")
        rsa = try await Self.rsaKey("rs")
        let key = try EdDSA.PrivateKey()
        edwards = try await Key(
            id: "ed",
            algorithm: "EdDSA",
            collection: JWTKeyCollection().add(eddsa: key),
            jwk: [
                "kty": "OKP", "crv": "Ed25519", "kid": "ed",
                "x": Base64URL.encode(Array(key.publicKey.rawRepresentation)),
            ]
        )
    }

    package static func secretKey(_ id: String, byteCount: Int = 32) async throws -> Key {
        let bytes = SymmetricKey(size: .init(bitCount: byteCount * 8)).withUnsafeBytes { Array($0) }
        return try await Key(
            id: id,
            algorithm: "HS256",
            collection: JWTKeyCollection().add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256),
            jwk: ["kty": "oct", "alg": "HS256", "kid": id, "k": Base64URL.encode(bytes)]
        )
    }

    package static func curveKey(_ id: String) async throws -> Key {
        let key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        return try await Key(
            id: id,
            algorithm: "ES256",
            collection: JWTKeyCollection().add(ecdsa: ES256PrivateKey(backing: key)),
            jwk: [
                "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": Base64URL.encode(Array(point[..<32])),
                "y": Base64URL.encode(Array(point[32...])),
            ]
        )
    }

    package static func rsaKey(_ id: String) async throws -> Key {
        let key = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
        let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
        return try await Key(
            id: id,
            algorithm: "RS256",
            collection: JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256),
            jwk: [
                "kty": "RSA", "alg": "RS256", "kid": id, "n": Base64URL.encode(Array(modulus)),
                "e": Base64URL.encode(Array(exponent)),
            ]
        )
    }

    // MARK: Documents

    /// The claims of a good token, with members replaced by JSON values, or removed by `nil`.
    package static func claims(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"ada\"", "exp": "\(seconds + 600)",
        ]
        for (name, value) in changes { members[name] = value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A JWK Set.
    package static func document(_ keys: [[String: String]]) -> [UInt8] {
        let items = keys.map { key in
            "{" + key.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
        }
        return Array("{\"keys\":[\(items.joined(separator: ","))]}".utf8)
    }

    /// The JWK Set of all keys.
    package var document: [UInt8] { Self.document(all.map(\.jwk)) }
}
