package import DeepLinkCore
package import DeepLinkUsers

/// An end user, as a valid token shows them.
package struct EndUser: Sendable, Equatable {
    /// The user that `sub` names.
    package let id: UserID

    /// The names of the levels that the token gives, independent of the stored one.
    package let levels: [LevelName]

    /// Creates the user of a verified token.
    package init(id: UserID, levels: [LevelName] = []) {
        self.id = id
        self.levels = levels
    }

    /// Returns the highest level of the token in a ladder; the lowest if the ladder has none of them.
    package func level(in ladder: LevelLadder) -> AuthorizationLevel {
        var highest = AuthorizationLevel.lowest
        for name in levels { highest = max(highest, ladder.level(stored: name) ?? .lowest) }
        return highest
    }
}
