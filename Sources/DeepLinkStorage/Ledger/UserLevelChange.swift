import DeepLinkCore
package import DeepLinkUsers

/// The part of a change that decides a user's level.
package struct UserLevelChange: Sendable {
    /// The user.
    package let user: UserID

    /// The grant that counts from now on; `nil` if the user no longer has a state.
    package let grant: LevelGrant?

    /// The version of the user from then on; 0 if it isn't needed.
    package let version: Int

    /// Creates a change from its parts.
    package init(user: UserID, grant: LevelGrant?, version: Int = 0) {
        self.user = user
        self.grant = grant
        self.version = version
    }
}
