package import Crypto

/// The key that signs continuations, and how long they last.
package struct ContinuationSettings: Sendable {
    /// The fewest bytes of a key: as many as the digest has (RFC 2104 §3).
    package static let minimumKeyByteCount = 32

    /// How long a continuation may be redeemed, in seconds.
    package let lifetime: Int

    package let key: SymmetricKey

    /// Creates settings; `nil` for a key of fewer than 32 bytes.
    package init?(key: [UInt8], lifetime: Int) {
        guard key.count >= Self.minimumKeyByteCount else { return nil }
        self.key = SymmetricKey(data: key)
        self.lifetime = lifetime
    }
}
