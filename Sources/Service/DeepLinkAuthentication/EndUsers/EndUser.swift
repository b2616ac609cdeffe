package import DeepLinkCore
package import DeepLinkStorage

/// An end user, as a valid token shows them.
package struct EndUser: Sendable, Equatable {
    /// The user that `sub` names.
    package let id: UserID

    /// The names of the levels that the token gives, independent of the stored one.
    package let levels: [LevelName]

    /// The names of the grants that the token gives, beside the stored ones.
    package let grants: [GrantName]

    /// Creates the user of a verified token.
    package init(id: UserID, levels: [LevelName] = [], grants: [GrantName] = []) {
        self.id = id
        self.levels = levels
        self.grants = grants
    }

    /// Returns the highest level and the grants of the token in a catalog; names that it doesn't have count as absent.
    package func permissions(in catalog: RouteCatalog) -> Permissions {
        Permissions(
            level: level(in: catalog.levels),
            grants: grants.isEmpty ? [] : catalog.grants.set(grants)
        )
    }

    /// Returns the highest level of the token in a ladder; the lowest if the ladder has none of them.
    package func level(in ladder: LevelLadder) -> AuthorizationLevel {
        var highest = AuthorizationLevel.lowest
        for name in levels { highest = max(highest, ladder.level(stored: name) ?? .lowest) }
        return highest
    }
}
