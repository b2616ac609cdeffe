package import Crypto

/// The keys of continuations, and how long they last.
package struct ContinuationSettings: Sendable {
    /// The fewest bytes of a key: as many as the digest has (RFC 2104 §3).
    package static let minimumKeyByteCount = 32

    /// The lifetime of a continuation, in seconds.
    package let lifetime: Int

    /// The key that signs.
    package let key: SymmetricKey

    /// The keys that verify: the one that signs, and others while it is replaced.
    package let verifyingKeys: [SymmetricKey]

    /// Creates settings; `nil` for no key, or one of fewer than 32 bytes.
    ///
    /// - Parameters:
    ///   - keys: the key that signs, and then others that verify.
    ///   - lifetime: the time for which a continuation may be redeemed, in seconds.
    package init?(keys: [[UInt8]], lifetime: Int) {
        let all = keys.map { SymmetricKey(data: $0) }
        guard let key = all.first, keys.allSatisfy({ $0.count >= Self.minimumKeyByteCount }) else { return nil }
        self.key = key
        verifyingKeys = all
        self.lifetime = lifetime
    }
}
