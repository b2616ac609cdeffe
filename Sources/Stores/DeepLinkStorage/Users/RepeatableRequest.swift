package import DeepLinkCore

/// A request that its client may send again, under a key of its own (`Idempotency-Key`).
package struct RepeatableRequest: Sendable {
    /// The time for which an answer is kept, in milliseconds: 24 hours.
    package static let lifetime: Int64 = 86_400_000

    /// The number of bytes of ``digest``: those of SHA-256.
    package static let digestByteCount = 32

    /// The sender; keys of different callers are different.
    package let caller: String

    /// The method.
    package let method: String

    /// The path.
    package let path: String

    /// The key that the client has chosen.
    package let key: String

    /// A digest of everything else that distinguishes this request from others: its body above all.
    package let digest: [UInt8]

    /// Whom it concerns.
    package let user: UserID

    /// The time of its arrival.
    package let time: Timestamp

    /// Creates a request from its parts.
    package init(
        caller: String,
        method: String,
        path: String,
        key: String,
        digest: [UInt8],
        user: UserID,
        time: Timestamp
    ) {
        self.caller = caller
        self.method = method
        self.path = path
        self.key = key
        self.digest = digest
        self.user = user
        self.time = time
    }

    /// The name under which the answer is kept: caller, method, path and key.
    package var name: [ByteText] { [caller, method, path, key].map(\.bytewise) }

    /// The time before which answers are no longer kept.
    package var horizon: Timestamp { Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch - Self.lifetime) }
}
