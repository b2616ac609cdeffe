/// Records one change of a user's state, as the history keeps it.
public struct UserChange: Hashable, Sendable {
    /// The version that the change made; the versions of one user go up.
    public let version: Int

    /// The level that was set; `nil` where the state was deleted.
    public let level: AuthorizationLevel?

    /// When the change was made.
    public let at: Timestamp

    /// Who made it.
    public let author: String

    /// Creates a record from its parts.
    public init(version: Int, level: AuthorizationLevel?, at: Timestamp, author: String) {
        self.version = version
        self.level = level
        self.at = at
        self.author = author
    }
}
