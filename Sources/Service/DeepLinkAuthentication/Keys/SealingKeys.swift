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
