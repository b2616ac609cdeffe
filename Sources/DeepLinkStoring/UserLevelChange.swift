package import DeepLinkCore

/// The part of a change that decides a user's level.
package struct UserLevelChange: Sendable {
    /// The user.
    package let user: UserID

    /// The grant that counts from now on; `nil` where the user has no state any more.
    package let grant: LevelGrant?

    /// The version of the user from then on; 0 where nobody asks for it.
    package let version: Int

    /// Creates a change from its parts.
    package init(user: UserID, grant: LevelGrant?, version: Int = 0) {
        self.user = user
        self.grant = grant
        self.version = version
    }
}
