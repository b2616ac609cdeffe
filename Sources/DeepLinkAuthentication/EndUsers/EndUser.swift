package import DeepLinkCore

/// An end user, as a valid token shows them.
package struct EndUser: Sendable, Equatable {
    /// The user that `sub` names.
    package let id: UserID

    /// The level that the token gives, whatever is stored.
    package let level: AuthorizationLevel

    /// Takes what a token says.
    package init(id: UserID, level: AuthorizationLevel = .none) {
        self.id = id
        self.level = level
    }
}
