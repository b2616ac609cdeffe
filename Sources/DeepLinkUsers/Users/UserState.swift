package import DeepLinkCore

/// The state of one user: the grant and its expiry.
package struct UserState: Hashable, Sendable {
    /// The user.
    package let id: UserID

    /// The grant that was set, with its expiry.
    package let grant: LevelGrant

    /// The number of changes of this user, from 1; deleting the user does not start it again.
    package let version: Int

    /// The time of the last write.
    package let updatedAt: Timestamp

    /// The moment as of which the state counts: a write that is older changes nothing.
    package let asOf: Timestamp

    /// Creates a record from its parts; without ``asOf`` it counts as of its last change.
    package init(id: UserID, grant: LevelGrant, version: Int, updatedAt: Timestamp, asOf: Timestamp? = nil) {
        self.id = id
        self.grant = grant
        self.version = version
        self.updatedAt = updatedAt
        self.asOf = asOf ?? updatedAt
    }

    /// Returns the level in effect at a time: the level that was set, or after `validUntil` the one that follows it.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        grant.level(at: time, in: ladder)
    }
}
