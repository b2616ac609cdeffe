import DeepLinkCore

/// The part of a change that decides a user's requests.
package struct UserLevelChange: Sendable {
    /// The user.
    package let user: UserID

    /// The level and the grants from now on; `nil` if the user no longer has a state.
    package let access: UserAccess?

    /// The version of the user from then on; 0 if it isn't needed.
    package let version: Int

    /// Creates a change from its parts.
    package init(user: UserID, access: UserAccess?, version: Int = 0) {
        self.user = user
        self.access = access
        self.version = version
    }
}
