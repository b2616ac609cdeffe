import Crypto
import DeepLinkFormats
import Foundation

/// The keys that seal texts for one purpose, so that nobody else can read or make them: AES-256-GCM (NIST SP 800-38D).
///
/// Each is derived from a secret by HKDF-SHA256 (RFC 5869): replicas that share the secret open what another one sealed,
/// and a text that was sealed for another purpose opens nothing.
struct SealingKeys: Sendable {
    /// The key that seals.
    private let first: SymmetricKey

    /// The keys that open, the sealing one first.
    private let all: [SymmetricKey]

    /// Derives the keys; `nil` without a secret.
    ///
    /// - Parameters:
    ///   - secrets: the secrets, of 32 bytes or more; the first seals, and all open.
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

    /// Seals some bytes; the text is base64url, about a third longer than they are.
    func seal(_ content: [UInt8]) throws -> String {
        let box = try AES.GCM.seal(content, using: first)
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Opens a sealed text; `nil` for any text that these keys have not sealed.
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
/// The secret is hashed into both states of the algorithm once, which takes as long as a short text does.
package struct CodeKey: Sendable {
    /// The fewest bytes of a secret: as many as the hash has (RFC 2104 §3, RFC 7518 §3.2).
    package static let minimumByteCount = 32

    /// The algorithm before the first byte.
    private let start: HMAC<SHA256>

    /// Creates a key; `nil` for a secret of fewer than 32 bytes.
    package init?(_ secret: [UInt8]) {
        guard secret.count >= Self.minimumByteCount else { return nil }
        start = HMAC(key: SymmetricKey(data: secret))
    }

    /// Returns the code of some bytes, 32 bytes long.
    package func code(of content: [UInt8]) -> [UInt8] {
        finished(content).withUnsafeBytes { Array($0) }
    }

    /// Returns whether a code is that of some bytes, in a time that does not depend on where they differ.
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

/// Unpredictable texts, drawn from a source of secure randomness.
enum RandomText {
    /// Draws characters of an alphabet that has some, each as likely as any other.
    ///
    /// Each word of the generator is cut into parts of as many bits as the alphabet needs, since every word of the
    /// system's is a call of its own.
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
                // A part that numbers no character is dropped: folding it back would make some likelier than others.
                if part <= last { text.append(alphabet[Int(part)]) }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
