import Crypto
import Foundation

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
