import Crypto
import DeepLinkCore
import DeepLinkFormats
import Foundation

/// A detached signature of a bundle, and the id of its key: `{"keyId":"…","ed25519":"…"}`.
///
/// ```swift
/// let key = BundleKey("Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE")
/// let read = BundleSignature(signature)
/// read?.keyID  // key?.id
/// read?.ed25519.count  // 64
/// ```
public struct BundleSignature: Sendable {
    /// The ``BundleKey/id`` of the signing key.
    public let keyID: String

    /// The signature (RFC 8032 §5.1), of 64 bytes.
    public let ed25519: [UInt8]

    /// Reads a signature in the format of the file and of the header field `Waymark-Signature`, or returns `nil` for
    /// any other text.
    ///
    /// ```swift
    /// BundleSignature(Array("{}".utf8)) == nil  // true
    /// ```
    public init?(_ json: [UInt8]) {
        guard case .object(let members)? = try? JSONParser.parse(json), case .string(let keyID)? = members["keyId"],
            case .string(let text)? = members["ed25519"], let bytes = Base64URL.decode(text.utf8), bytes.count == 64
        else { return nil }
        self.keyID = keyID
        ed25519 = bytes
    }

    /// Creates a signature from the id of its key and its 64 bytes.
    package init(keyID: String, ed25519: [UInt8]) {
        self.keyID = keyID
        self.ed25519 = ed25519
    }

    /// The signature as JSON.
    ///
    /// ```swift
    /// let read = BundleSignature(signature)
    /// BundleSignature(read?.json ?? [])?.ed25519  // read?.ed25519
    /// ```
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("keyId", keyID)
            writer.member("ed25519", Base64URL.encode(ed25519))
        }
        return writer.bytes
    }
}

/// A public key that an app trusts.
///
/// ```swift
/// let keys = ["Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"].compactMap { BundleKey($0) }
/// keys.count  // 1
/// ```
public struct BundleKey: Sendable {
    /// The first 12 hexadecimal digits of the SHA-256 of the key's bytes.
    public let id: String

    private let key: Curve25519.Signing.PublicKey

    /// Creates a key from the base64url text that `waymark catalog bundle` prints, or returns `nil` for any other text.
    ///
    /// ```swift
    /// BundleKey("Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE")?.id.count  // 12
    /// BundleKey("a key") == nil  // true
    /// ```
    public init?(_ text: String) {
        guard let bytes = Base64URL.decode(text.utf8) else { return nil }
        try? self.init(rawRepresentation: bytes)
    }

    /// Creates a key from its raw representation, or throws an error if the bytes aren't a key.
    package init(rawRepresentation bytes: [UInt8]) throws {
        key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        id = SHA256.hash(data: bytes).prefix(6).hexadecimal
    }

    /// The key in base64url.
    public var text: String { Base64URL.encode(Array(key.rawRepresentation)) }

    /// Returns whether a signature of some bytes was made with this key.
    func isSignature(_ signature: BundleSignature, of bytes: [UInt8]) -> Bool {
        key.isValidSignature(Data(signature.ed25519), for: Data(bytes))
    }
}

/// The private key that signs bundles.
///
/// Keep it in CI, not on a server.
package struct BundleSigningKey: Sendable {
    /// The bytes before the 32 bytes of the key in PKCS #8 (RFC 8410 §7).
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    private let key: Curve25519.Signing.PrivateKey

    /// The public key that verifies its signatures.
    package let publicKey: BundleKey

    /// Reads a key in PEM, as written by `openssl genpkey -algorithm ed25519`, or returns `nil` for any other text.
    package init?(pem: [UInt8]) {
        let lines = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count >= 3, lines.first == "-----BEGIN PRIVATE KEY-----",
            lines.last == "-----END PRIVATE KEY-----",
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined()), der.starts(with: Self.prefix)
        else { return nil }
        self.init(rawRepresentation: Array(der.dropFirst(Self.prefix.count)))
    }

    /// Creates a key from its 32 bytes.
    package init?(rawRepresentation bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes),
            let publicKey = try? BundleKey(rawRepresentation: Array(key.publicKey.rawRepresentation))
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Signs the bytes of a bundle.
    package func signature(of bytes: [UInt8]) throws -> BundleSignature {
        BundleSignature(keyID: publicKey.id, ed25519: Array(try key.signature(for: Data(bytes))))
    }
}
