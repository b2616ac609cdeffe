package import DeepLinkCore

/// The level and the grants of a user, each with its end.
package struct UserAccess: Hashable, Sendable {
    /// The level with its end, or `nil` if none was written, which means the lowest.
    package var level: HeldLevel?

    /// The grants in the order of their names' bytes, including expired ones.
    package private(set) var grants: [HeldGrant]

    /// Creates the access of a user.
    ///
    /// - Parameters:
    ///   - level: The level with its end, or `nil` if none was written.
    ///   - grants: The grants, in any order. If several have the same name, the last one is used.
    package init(level: HeldLevel?, grants: [HeldGrant] = []) {
        self.level = level
        self.grants = []
        for grant in grants { hold(grant) }
    }

    /// Creates the access of a user from grants that are already in the order of their names.
    package init(level: HeldLevel?, sorted grants: [HeldGrant]) {
        self.level = level
        self.grants = grants
    }

    /// Returns the level at a time.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        level?.level(at: time, in: ladder) ?? .lowest
    }

    /// Returns the valid level and grants of a catalog at a time.
    ///
    /// Names that the catalog lacks, and grants that only the app asserts, are ignored.
    package func permissions(at time: Timestamp, in catalog: RouteCatalog) -> Permissions {
        let level = level(at: time, in: catalog.levels)
        // Most users have no grants, and neither do most catalogs.
        guard !grants.isEmpty, !catalog.grants.isEmpty else { return Permissions(level: level) }
        let held = catalog.grants.set(grants.lazy.filter { $0.isHeld(at: time) }.map(\.name))
        return Permissions(level: level, grants: held.subtracting(catalog.grants.fromApp))
    }

    /// Returns the grants that are valid at a time, in the order of their names.
    package func grants(at time: Timestamp) -> [HeldGrant] {
        // Most users have none, so there is nothing to filter.
        grants.isEmpty ? [] : grants.filter { $0.isHeld(at: time) }
    }

    /// Returns whether the user holds a valid grant at a time.
    package func holds(_ name: GrantName, at time: Timestamp) -> Bool {
        grants.contains { $0.name == name && $0.isHeld(at: time) }
    }

    /// Adds a grant, replacing one with the same name.
    package mutating func hold(_ grant: HeldGrant) {
        let place = grants.firstIndex { $0.name.text.bytewise >= grant.name.text.bytewise } ?? grants.endIndex
        if place < grants.endIndex, grants[place].name == grant.name {
            grants[place] = grant
        } else {
            grants.insert(grant, at: place)
        }
    }

    /// Removes a grant, if the user holds it.
    package mutating func drop(_ name: GrantName) {
        grants.removeAll { $0.name == name }
    }

    /// Removes the grants that have expired at a time.
    package mutating func dropEnded(at time: Timestamp) {
        guard !grants.isEmpty else { return }
        grants.removeAll { !$0.isHeld(at: time) }
    }

    /// Returns the access without the grants that have expired at a time.
    package func droppingEnded(at time: Timestamp) -> UserAccess {
        UserAccess(level: level, sorted: grants(at: time))
    }
}

/// One change of a user's state, as stored in the history.
package struct UserChange: Hashable, Sendable {
    /// The version that the change made.
    ///
    /// The versions of one user increase by one.
    package let version: Int

    /// The level and the grants after the change, always with a level, or `nil` if the state was deleted.
    package let access: UserAccess?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The effective time of the change, if it differs from the time of the write.
    package let asOf: Timestamp?

    /// Creates a change.
    ///
    /// If no level was written, it has the lowest.
    package init(version: Int, access: UserAccess?, at: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.version = version
        self.access = access.map { UserAccess(level: $0.level ?? .unwritten, sorted: $0.grants) }
        self.at = at
        self.author = author
        self.asOf = asOf
    }

    /// The level after the change, or `nil` if the state was deleted.
    package var level: HeldLevel? { access?.level }
}
