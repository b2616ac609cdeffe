/// The keys of continuations, and how long they last.
package struct ContinuationSettings: Sendable {
    /// The lifetime of a continuation, in seconds.
    package let lifetime: Int

    /// The key that signs.
    package let key: CodeKey

    /// The keys that verify: the one that signs, and others while it is replaced.
    package let verifyingKeys: [CodeKey]

    /// Creates settings; `nil` for no key, or one of fewer than 32 bytes.
    ///
    /// - Parameters:
    ///   - keys: the key that signs, and then others that verify.
    ///   - lifetime: the time in which a continuation may be redeemed, in seconds.
    package init?(keys: [[UInt8]], lifetime: Int) {
        let all = keys.compactMap(CodeKey.init)
        guard let key = all.first, all.count == keys.count else { return nil }
        self.key = key
        verifyingKeys = all
        self.lifetime = lifetime
    }
}
