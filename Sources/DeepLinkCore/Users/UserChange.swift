/// One change of a user's state, as the history keeps it.
public struct UserChange: Hashable, Sendable {
    /// The version that the change made; the versions of one user go up by one.
    public let version: Int

    /// What was set, as it was written; `nil` where the state was deleted.
    public let grant: LevelGrant?

    /// When the change was made.
    public let at: Timestamp

    /// Who made it.
    public let author: String

    /// The moment as of which the change counts, where that is not the one at which it was made.
    public let asOf: Timestamp?

    /// Creates a record from its parts.
    public init(version: Int, grant: LevelGrant?, at: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.version = version
        self.grant = grant
        self.at = at
        self.author = author
        self.asOf = asOf
    }
}
