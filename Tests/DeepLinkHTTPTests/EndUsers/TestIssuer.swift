import Crypto
import CryptoExtras
import DeepLinkCore
import DeepLinkFormats
import Foundation
import JWTKit
import Logging
import Testing

@testable import DeepLinkAuthentication
@testable import DeepLinkHTTP

/// Is an identity provider with a key of each algorithm, made for the occasion.
struct TestIssuer: Sendable {
    /// Is one key: what signs, and what is published.
    struct Key: Sendable {
        let id: String
        let algorithm: SignatureAlgorithm

        /// The key by itself, as jwt-kit keeps it.
        let collection: JWTKeyCollection

        /// What signs bytes.
        let signer: any JWTAlgorithm

        /// The JWK that verifies what the key signs.
        let jwk: [String: String]

        init(
            id: String,
            algorithm: SignatureAlgorithm,
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
        func token(header: String, claims: String) throws -> String {
            let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
            return signed + "." + Base64URL.encode(try signer.sign(Array(signed.utf8)))
        }

        /// Signs claims under the header that belongs to the key.
        func token(_ claims: String = TestIssuer.claims()) throws -> String {
            try token(header: #"{"alg":"\#(algorithm.rawValue)","kid":"\#(id)","typ":"JWT"}"#, claims: claims)
        }

        /// Signs good claims under another header.
        func token(header: String) throws -> String { try token(header: header, claims: TestIssuer.claims()) }

        /// The claims and header of a token with the `alg` and the signer of another key.
        func forged(by other: Key, algorithm: String) throws -> String {
            try other.token(header: #"{"alg":"\#(algorithm)","kid":"\#(id)","typ":"JWT"}"#)
        }
    }

    /// The moment at which tokens are verified, where nothing else is said.
    static let now = TestServer.now

    /// The same in seconds.
    static let seconds = Int(now.millisecondsSinceEpoch / 1000)

    static let issuer = "https://id.example"
    static let audience = "waymark"

    let secret: Key
    let curve: Key
    let rsa: Key
    let edwards: Key

    /// The keys of the process: RSA keys take long to make.
    static let shared = Task { try await TestIssuer() }

    /// Another issuer with keys of the same ids.
    static let foreign = Task { try await TestIssuer() }

    var all: [Key] { [secret, curve, rsa, edwards] }

    init() async throws {
        secret = try await Self.secretKey("hs")
        curve = try await Self.curveKey("es")
        rsa = try await Self.rsaKey("rs")
        let key = try EdDSA.PrivateKey()
        edwards = try await Key(
            id: "ed",
            algorithm: .edDSA,
            collection: JWTKeyCollection().add(eddsa: key),
            jwk: [
                "kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": Base64URL.encode(key.publicKey.rawRepresentation),
            ]
        )
    }

    static func secretKey(_ id: String, byteCount: Int = 32) async throws -> Key {
        let bytes = SymmetricKey(size: .init(bitCount: byteCount * 8)).withUnsafeBytes { Array($0) }
        return try await Key(
            id: id,
            algorithm: .hs256,
            collection: JWTKeyCollection().add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256),
            jwk: ["kty": "oct", "alg": "HS256", "kid": id, "k": Base64URL.encode(bytes)]
        )
    }

    static func curveKey(_ id: String) async throws -> Key {
        let key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        return try await Key(
            id: id,
            algorithm: .es256,
            collection: JWTKeyCollection().add(ecdsa: ES256PrivateKey(backing: key)),
            jwk: [
                "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": Base64URL.encode(point[..<32]),
                "y": Base64URL.encode(point[32...]),
            ]
        )
    }

    static func rsaKey(_ id: String) async throws -> Key {
        let key = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
        let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
        return try await Key(
            id: id,
            algorithm: .rs256,
            collection: JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256),
            jwk: [
                "kty": "RSA", "alg": "RS256", "kid": id, "n": Base64URL.encode(modulus),
                "e": Base64URL.encode(exponent),
            ]
        )
    }

    // MARK: Documents

    /// The claims of a good token, with members replaced by JSON values, or removed by `nil`.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"ada\"", "exp": "\(seconds + 600)",
        ]
        for (name, value) in changes { members[name] = value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A JWK Set.
    static func document(_ keys: [[String: String]]) -> [UInt8] {
        let items = keys.map { key in
            "{" + key.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
        }
        return Array("{\"keys\":[\(items.joined(separator: ","))]}".utf8)
    }

    /// The JWK Set of all keys.
    var document: [UInt8] { Self.document(all.map(\.jwk)) }

    // MARK: Verifying

    /// A verifier that has read a document.
    static func verifier(
        _ document: [UInt8],
        ring: KeyRing = KeyRing()
    ) async throws -> EndUserVerifier {
        let source = MemorySource(document)
        let verifier = EndUserVerifier(settings(source), ring: ring, logger: logger)
        try await verifier.refresher.readFile()
        return verifier
    }

    /// A verifier with the keys of the shared issuer.
    static func verifier() async throws -> EndUserVerifier { try await verifier(shared.value.document) }

    /// Settings whose keys are read again for an unknown one once only, however slow the machine is.
    static func settings(_ source: any KeySetSource, interval: Duration = .seconds(300)) -> EndUserSettings {
        EndUserSettings(
            issuer: issuer,
            audience: audience,
            source: source,
            pace: RefreshPace(interval: interval, spacing: .seconds(3600))
        )
    }

    /// A logger that says nothing.
    static var logger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
