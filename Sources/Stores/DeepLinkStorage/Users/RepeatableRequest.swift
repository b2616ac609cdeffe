package import DeepLinkCore

/// A request that can be retried safely, with an idempotency key from its client (`Idempotency-Key`).
package struct RepeatableRequest: Sendable {
    /// The time for which a response is stored, in milliseconds: 24 hours.
    package static let lifetime: Int64 = 86_400_000

    /// The number of bytes of ``digest``, which is a SHA-256 digest.
    package static let digestByteCount = 32

    /// The caller.
    ///
    /// Keys of different callers are independent.
    package let caller: String

    /// The HTTP method of the request.
    package let method: String

    /// The path of the request's target.
    package let path: String

    /// The idempotency key.
    package let key: String

    /// A digest of everything else that distinguishes this request from others, mainly its body.
    package let digest: [UInt8]

    /// The user whom the request concerns.
    package let user: UserID

    /// The time at which the request arrived.
    package let time: Timestamp

    /// Creates a request.
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

    /// The name under which the response is stored: caller, method, path and key.
    package var name: [ByteText] { [caller, method, path, key].map(\.bytewise) }

    /// The time before which stored responses have expired.
    package var horizon: Timestamp { Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch - Self.lifetime) }
}
