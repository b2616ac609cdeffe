/// How far one user has come, and until when.
public struct UserState: Hashable, Sendable {
    /// Whose state it is.
    public let id: UserID

    /// What was set, and until when it holds.
    public let grant: LevelGrant

    /// The number of changes of this user, from 1; deleting the user does not start it again.
    public let version: Int

    /// When the record was last written.
    public let updatedAt: Timestamp

    /// The moment as of which the state counts: a write that is older changes nothing.
    public let asOf: Timestamp

    /// Creates a record from its parts; without ``asOf`` it counts as of its last change.
    public init(id: UserID, grant: LevelGrant, version: Int, updatedAt: Timestamp, asOf: Timestamp? = nil) {
        self.id = id
        self.grant = grant
        self.version = version
        self.updatedAt = updatedAt
        self.asOf = asOf ?? updatedAt
    }

    /// The level that counts at a moment: what was set, or after `validUntil` what follows it.
    public func level(at time: Timestamp) -> AuthorizationLevel { grant.level(at: time) }
}
