/// A request that its client may send again, under a key of its own (`Idempotency-Key`).
public struct RepeatableRequest: Sendable {
    /// The time for which an answer is kept, in milliseconds: 24 hours.
    public static let lifetime: Int64 = 86_400_000

    /// The number of bytes of ``digest``: those of SHA-256.
    public static let digestByteCount = 32

    /// Who sends it; keys of different callers are different.
    public let caller: String

    /// The method.
    public let method: String

    /// The path.
    public let path: String

    /// The key that the client has chosen.
    public let key: String

    /// A digest of all else that tells this request from another: its body above all.
    public let digest: [UInt8]

    /// Whom it concerns.
    public let user: UserID

    /// When it came.
    public let time: Timestamp

    /// Creates a request from its parts.
    public init(
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
    public var name: [ByteText] { [caller, method, path, key].map(\.bytewise) }

    /// The last moment before which answers are no longer kept.
    public var horizon: Timestamp { Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch - Self.lifetime) }
}
