package import DeepLinkCore

/// One change of a user's state, as the history keeps it.
package struct UserChange: Hashable, Sendable {
    /// The version that the change made; the versions of one user go up by one.
    package let version: Int

    /// The level and the grants after the change, always with a level; `nil` if the state was deleted.
    package let access: UserAccess?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The time from which the change counts, if it differs from the time of the write.
    package let asOf: Timestamp?

    /// Creates a record from its parts; without a written level, it has the lowest.
    package init(version: Int, access: UserAccess?, at: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.version = version
        self.access = access.map { UserAccess(level: $0.level ?? .unwritten, sorted: $0.grants) }
        self.at = at
        self.author = author
        self.asOf = asOf
    }

    /// The level after the change; `nil` if the state was deleted.
    package var level: HeldLevel? { access?.level }
}
