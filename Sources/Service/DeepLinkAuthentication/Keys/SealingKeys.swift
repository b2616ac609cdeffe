import Crypto
import DeepLinkFormats
import Foundation

/// The keys that seal texts for one purpose, so that no other party can read or create them: AES-256-GCM (NIST SP
/// 800-38D).
///
/// Each is derived from a secret by HKDF-SHA256 (RFC 5869). Replicas that share the secret can open each other's texts,
/// but texts sealed for another purpose cannot be opened.
struct SealingKeys: Sendable {
    /// The sealing key.
    private let first: SymmetricKey

    /// The opening keys, the sealing key first.
    private let all: [SymmetricKey]

    /// Derives the keys, or returns `nil` without a secret.
    ///
    /// - Parameters:
    ///   - secrets: the secrets, of 32 bytes or more. The first seals, and all open.
    ///   - purpose: the purpose of the sealed texts.
    init?(secrets: [[UInt8]], purpose: String) {
        all = secrets.map { secret in
            HKDF<SHA256>
                .deriveKey(
                    inputKeyMaterial: SymmetricKey(data: secret),
                    info: Array(purpose.utf8),
                    outputByteCount: 32
                )
        }
        guard let first = all.first else { return nil }
        self.first = first
    }

    /// Seals bytes into a base64url text, about a third longer.
    func seal(_ content: [UInt8]) throws -> String {
        let box = try AES.GCM.seal(content, using: first)
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Opens a sealed text, or returns `nil` if none of these keys sealed it.
    func open(_ text: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(text.utf8), let box = try? AES.GCM.SealedBox(combined: bytes) else {
            return nil
        }
        for key in all {
            if let content = try? AES.GCM.open(box, using: key) { return Array(content) }
        }
        return nil
    }
}

/// A secret that authenticates bytes by HMAC-SHA256 (RFC 2104).
///
/// The secret is hashed into both states of the algorithm once, at the cost of hashing a short text.
package struct HMACKey: Sendable {
    /// The minimum length of a secret in bytes: the length of the hash (RFC 2104 §3, RFC 7518 §3.2).
    package static let minimumByteCount = 32

    /// The state of the algorithm before the first byte.
    private let start: HMAC<SHA256>

    /// Creates a key, or returns `nil` for a secret of fewer than 32 bytes.
    package init?(_ secret: [UInt8]) {
        guard secret.count >= Self.minimumByteCount else { return nil }
        start = HMAC(key: SymmetricKey(data: secret))
    }

    /// Returns the 32-byte HMAC of some bytes.
    package func code(of content: [UInt8]) -> [UInt8] {
        finished(content).withUnsafeBytes { Array($0) }
    }

    /// Returns whether an HMAC is correct for some bytes, in a time that does not depend on where they differ.
    package func verifies(_ code: [UInt8], of content: [UInt8]) -> Bool {
        // The comparison of codes takes constant time (swift-crypto, `HashedAuthenticationCode`).
        finished(content) == Data(code)
    }

    private func finished(_ content: [UInt8]) -> HMAC<SHA256>.MAC {
        var hash = start
        content.withUnsafeBytes { hash.update(data: $0) }
        return hash.finalize()
    }
}

/// Unpredictable texts from a source of secure randomness.
enum RandomText {
    /// The digits and the ASCII letters.
    static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// The number of characters of a secret: 62^43 is more than 2^256.
    static let secretCount = 43

    /// Returns a secret in base 62, from the system's source of randomness.
    static func secret() -> String { draw(secretCount, of: base62) }

    /// Returns random characters of a non-empty alphabet, each equally likely.
    ///
    /// Each word of the generator is split into parts of as many bits as the alphabet needs, since each word from the
    /// system's generator costs a call.
    static func draw(
        _ count: Int,
        of alphabet: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) -> String {
        let last = UInt64(alphabet.count - 1)
        let bitCount = max(UInt64.bitWidth - last.leadingZeroBitCount, 1)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        while text.count < count {
            var word = generator.next()
            for _ in 0..<UInt64.bitWidth / bitCount where text.count < count {
                let part = word & ((1 << bitCount) - 1)
                word >>= bitCount
                // A part beyond the alphabet is dropped, since folding it back would make some characters likelier than
                // others.
                if part <= last { text.append(alphabet[Int(part)]) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
