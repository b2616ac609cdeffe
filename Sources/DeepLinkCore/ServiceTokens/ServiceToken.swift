/// A service token as it is stored: everything but its secret.
public struct ServiceToken: Hashable, Sendable {
    /// The identity of the token.
    public let id: ServiceTokenID

    /// The SHA-256 digest of the token's text, 32 bytes.
    public let digest: [UInt8]

    /// What its holder may do.
    public let role: Role

    /// What it is for, in its maker's words; empty where they said nothing.
    public let note: String

    /// When it was made.
    public let created: Timestamp

    /// The last moment at which it opens anything; `nil` for no end.
    public let expires: Timestamp?

    /// When it was taken back; `nil` while it is not.
    public let revoked: Timestamp?

    /// Creates a record from its parts.
    public init(
        id: ServiceTokenID,
        digest: [UInt8],
        role: Role,
        note: String = "",
        created: Timestamp,
        expires: Timestamp? = nil,
        revoked: Timestamp? = nil
    ) {
        self.id = id
        self.digest = digest
        self.role = role
        self.note = note
        self.created = created
        self.expires = expires
        self.revoked = revoked
    }

    /// Returns whether the token opens anything at a moment.
    public func isUsable(at time: Timestamp) -> Bool {
        revoked == nil && expires.map { time <= $0 } ?? true
    }
}
