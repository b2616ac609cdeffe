package import DeepLinkCore

/// The state of one user: the level and the grants, with their ends.
package struct UserState: Hashable, Sendable {
    /// The user with this state.
    package let id: UserID

    /// The written level and grants.
    package let access: UserAccess

    /// The number of changes of this user, from 1.
    ///
    /// Deleting the user does not reset it.
    package let version: Int

    /// The time of the last write.
    package let updatedAt: Timestamp

    /// The effective times of the level and the grants.
    ///
    /// A write with an earlier effective time changes nothing.
    package let moments: AccessMoments

    /// Creates a state.
    package init(id: UserID, access: UserAccess, version: Int, updatedAt: Timestamp, moments: AccessMoments) {
        self.id = id
        self.access = access
        self.version = version
        self.updatedAt = updatedAt
        self.moments = moments
    }

    /// Creates the state of a user without grants.
    ///
    /// Without `asOf`, the effective time of the level is its last change.
    package init(id: UserID, level: HeldLevel, version: Int, updatedAt: Timestamp, asOf: Timestamp? = nil) {
        self.init(
            id: id,
            access: UserAccess(level: level),
            version: version,
            updatedAt: updatedAt,
            moments: AccessMoments(level: asOf ?? updatedAt)
        )
    }

    /// The level as responses show it, which is the lowest for a user to whom only grants were written.
    package var level: HeldLevel { access.level ?? .unwritten }

    /// The effective time of the level, or `nil` if none was written.
    package var asOf: Timestamp? { moments.level }

    /// Returns the level at a time: the written level, or after `validUntil` the one that follows it.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        access.level(at: time, in: ladder)
    }
}
