package import DeepLinkCore

/// The state of one user: the level and the grants, with their ends.
package struct UserState: Hashable, Sendable {
    /// The user.
    package let id: UserID

    /// The level and the grants that were written.
    package let access: UserAccess

    /// The number of changes of this user, from 1; deleting the user does not start it again.
    package let version: Int

    /// The time of the last write.
    package let updatedAt: Timestamp

    /// The moments as of which the level and the grants count: a write that is older changes nothing.
    package let moments: AccessMoments

    /// Creates a record from its parts.
    package init(id: UserID, access: UserAccess, version: Int, updatedAt: Timestamp, moments: AccessMoments) {
        self.id = id
        self.access = access
        self.version = version
        self.updatedAt = updatedAt
        self.moments = moments
    }

    /// Creates the record of a user without grants; without a moment, the level counts as of its last change.
    package init(id: UserID, level: HeldLevel, version: Int, updatedAt: Timestamp, asOf: Timestamp? = nil) {
        self.init(
            id: id,
            access: UserAccess(level: level),
            version: version,
            updatedAt: updatedAt,
            moments: AccessMoments(level: asOf ?? updatedAt)
        )
    }

    /// The level as answers show it: that of a user to whom only grants were written is the lowest.
    package var level: HeldLevel { access.level ?? .unwritten }

    /// The moment as of which the level counts; `nil` if none was written.
    package var asOf: Timestamp? { moments.level }

    /// Returns the level in effect at a time: the level that was set, or after `validUntil` the one that follows it.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        access.level(at: time, in: ladder)
    }
}
