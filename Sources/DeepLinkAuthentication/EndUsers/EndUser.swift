package import DeepLinkCore
package import DeepLinkUsers

/// An end user, as a valid token shows them.
package struct EndUser: Sendable, Equatable {
    /// The user that `sub` names.
    package let id: UserID

    /// The level that the token gives, independent of the stored one.
    package let level: AuthorizationLevel

    /// Creates the user of a verified token.
    package init(id: UserID, level: AuthorizationLevel = .none) {
        self.id = id
        self.level = level
    }
}
