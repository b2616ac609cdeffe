package import DeepLinkCore

/// The level and the grants of a user, each with its end.
package struct UserAccess: Hashable, Sendable {
    /// The level with its end; `nil` if none was written, so that the lowest counts.
    package var level: HeldLevel?

    /// The grants in the order of their names' bytes, those whose end has passed included.
    package private(set) var grants: [HeldGrant]

    /// Creates the access of a user.
    ///
    /// - Parameters:
    ///   - level: The level with its end; `nil` if none was written.
    ///   - grants: The grants, in any order; of several with one name the last counts.
    package init(level: HeldLevel?, grants: [HeldGrant] = []) {
        self.level = level
        self.grants = []
        for grant in grants { hold(grant) }
    }

    /// Creates the access of a user from grants that are in the order of their names.
    package init(level: HeldLevel?, sorted grants: [HeldGrant]) {
        self.level = level
        self.grants = grants
    }

    /// Returns the level that counts at a moment.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        level?.level(at: time, in: ladder) ?? .lowest
    }

    /// Returns the level and the grants of a catalog that count at a moment.
    ///
    /// Names that the catalog lacks count for nothing, and neither do grants that only the app asserts.
    package func permissions(at time: Timestamp, in catalog: RouteCatalog) -> Permissions {
        let level = level(at: time, in: catalog.levels)
        // Most users have no grants, and most catalogs neither.
        guard !grants.isEmpty, !catalog.grants.isEmpty else { return Permissions(level: level) }
        let held = catalog.grants.set(grants.lazy.filter { $0.isHeld(at: time) }.map(\.name))
        return Permissions(level: level, grants: held.subtracting(catalog.grants.fromApp))
    }

    /// Returns the grants that count at a moment, in the order of their names.
    package func grants(at time: Timestamp) -> [HeldGrant] {
        // Most users have none, and then there is nothing to filter.
        grants.isEmpty ? [] : grants.filter { $0.isHeld(at: time) }
    }

    /// Returns whether a grant counts at a moment.
    package func holds(_ name: GrantName, at time: Timestamp) -> Bool {
        grants.contains { $0.name == name && $0.isHeld(at: time) }
    }

    /// Adds a grant, in place of one with the same name.
    package mutating func hold(_ grant: HeldGrant) {
        let place = grants.firstIndex { $0.name.text.bytewise >= grant.name.text.bytewise } ?? grants.endIndex
        if place < grants.endIndex, grants[place].name == grant.name {
            grants[place] = grant
        } else {
            grants.insert(grant, at: place)
        }
    }

    /// Removes a grant, if it is there.
    package mutating func drop(_ name: GrantName) {
        grants.removeAll { $0.name == name }
    }

    /// Removes the grants whose end has passed at a moment.
    package mutating func dropEnded(at time: Timestamp) {
        guard !grants.isEmpty else { return }
        grants.removeAll { !$0.isHeld(at: time) }
    }

    /// Returns the access without the grants whose end has passed at a moment.
    package func droppingEnded(at time: Timestamp) -> UserAccess {
        UserAccess(level: level, sorted: grants(at: time))
    }
}

/// One change of a user's state, as the history keeps it.
package struct UserChange: Hashable, Sendable {
    /// The version that the change made; the versions of one user go up by one.
    package let version: Int

    /// The level and the grants after the change, always with a level; `nil` if the state was deleted.
    package let access: UserAccess?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The time from which the change counts, if it differs from the time of the write.
    package let asOf: Timestamp?

    /// Creates a record from its parts; without a written level, it has the lowest.
    package init(version: Int, access: UserAccess?, at: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.version = version
        self.access = access.map { UserAccess(level: $0.level ?? .unwritten, sorted: $0.grants) }
        self.at = at
        self.author = author
        self.asOf = asOf
    }

    /// The level after the change; `nil` if the state was deleted.
    package var level: HeldLevel? { access?.level }
}
