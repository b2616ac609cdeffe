import Crypto
import DeepLinkCore

/// The keys that the database keeps for all replicas.
struct Secrets: Sendable {
    /// The number of bytes of each.
    static let byteCount = 32

    /// The key of the digests that stand for users who were erased.
    let erasureKey: [UInt8]

    /// Draws a key.
    static func draw() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Returns the digest that stands for a user's id: HMAC-SHA256 (RFC 2104), as in a SQLite file.
    func digest(of id: UserID) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(id.text.utf8), using: SymmetricKey(data: erasureKey)))
    }
}
