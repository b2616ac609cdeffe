/// The level and the grants that a user has.
package struct Permissions: Hashable, Sendable {
    /// The level.
    package var level: AuthorizationLevel

    /// The grants.
    package var grants: GrantSet

    /// Creates the permissions of a user; by default, without grants.
    package init(level: AuthorizationLevel = .lowest, grants: GrantSet = []) {
        self.level = level
        self.grants = grants
    }

    /// The permissions of a user of whom nothing is known.
    package static let none = Permissions()

    /// The permissions that open every route of every catalog.
    package static var all: Permissions { Permissions(level: .highest, grants: .all) }

    /// Returns the permissions of both: the higher level, and the grants of either.
    package func joined(with other: Permissions) -> Permissions {
        Permissions(level: max(level, other.level), grants: grants.union(other.grants))
    }

    /// Returns the permissions of a user who has obtained what a gate gives.
    package func adding(_ attainment: Attainment) -> Permissions {
        switch attainment {
        case .level(let level): joined(with: Permissions(level: level))
        case .grant(let grant): joined(with: Permissions(grants: GrantSet(grant)))
        }
    }
}

/// The permissions of one user in two catalogs.
package struct PermissionsPair: Hashable, Sendable {
    /// The permissions in the former catalog.
    package let old: Permissions

    /// The permissions in the new catalog.
    package let new: Permissions

    /// Creates a pair.
    package init(old: Permissions, new: Permissions) {
        self.old = old
        self.new = new
    }
}
