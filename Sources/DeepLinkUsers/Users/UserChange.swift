package import DeepLinkCore

/// One change of a user's state, as the history keeps it.
package struct UserChange: Hashable, Sendable {
    /// The version that the change made; the versions of one user go up by one.
    package let version: Int

    /// The grant that was set, as it was written; `nil` if the state was deleted.
    package let grant: LevelGrant?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The time from which the change counts, if it differs from the time of the write.
    package let asOf: Timestamp?

    /// Creates a record from its parts.
    package init(version: Int, grant: LevelGrant?, at: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.version = version
        self.grant = grant
        self.at = at
        self.author = author
        self.asOf = asOf
    }
}
