import Crypto
import DeepLinkCore
import DeepLinkStorage

/// The keys that the database keeps for all replicas.
struct DatabaseSecrets: Sendable {
    /// The number of bytes of each key.
    static let byteCount = 32

    /// The key of the digests that replace erased users.
    let erasureKey: [UInt8]

    /// Generates a key.
    static func draw() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Returns the digest that replaces a user's id: HMAC-SHA256 (RFC 2104), as in a SQLite file.
    func digest(of id: UserID) -> [UInt8] { digest(of: id.text) }

    /// Returns the digest that is left of an erased short link's code, the same for all letter cases.
    func digest(of code: ShortLinkCode) -> [UInt8] { digest(of: code.erasureText) }

    private func digest(of text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: erasureKey)))
    }

    /// Returns the digest in hexadecimal digits, in place of the user's name.
    func pseudonym(of id: UserID) -> String {
        digest(of: id).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
