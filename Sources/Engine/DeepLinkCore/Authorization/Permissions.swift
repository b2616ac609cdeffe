/// The level and the grants that a user has.
package struct Permissions: Hashable, Sendable {
    /// The access level.
    package var level: AuthorizationLevel

    /// The grants, by the list of the catalog.
    package var grants: GrantSet

    /// Creates the permissions of a user, without grants by default.
    package init(level: AuthorizationLevel = .lowest, grants: GrantSet = []) {
        self.level = level
        self.grants = grants
    }

    /// The permissions of an unknown user: the lowest level, and no grants.
    package static let none = Permissions()

    /// The permissions that open every route of every catalog.
    package static var all: Permissions { Permissions(level: .highest, grants: .all) }

    /// Returns the union of both permissions: the higher level, and all grants.
    package func joined(with other: Permissions) -> Permissions {
        Permissions(level: max(level, other.level), grants: grants.union(other.grants))
    }

    /// Returns the permissions of a user after a gate, with the level or the grant that it gives.
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

/// The level and the grants that a destination, or a whole stack, requires.
///
/// Requirements form a semilattice: joining is associative, commutative and idempotent, and ``none`` is neutral.
package struct Requirement: Hashable, Sendable {
    /// The level that the user needs.
    package var level: AuthorizationLevel

    /// The grants that the user needs, all of them.
    package var grants: GrantSet

    /// Creates a requirement, which every user meets by default.
    package init(level: AuthorizationLevel = .lowest, grants: GrantSet = []) {
        self.level = level
        self.grants = grants
    }

    /// The requirement that every user meets.
    package static let none = Requirement()

    /// Returns the union of both requirements: the higher level, and all grants.
    package func joined(with other: Requirement) -> Requirement {
        Requirement(level: max(level, other.level), grants: grants.union(other.grants))
    }

    /// Returns whether a user with some permissions meets the requirement.
    package func isMet(by permissions: Permissions) -> Bool {
        level <= permissions.level && grants.isSubset(of: permissions.grants)
    }
}

/// The level or the grant that a user obtains at a gate.
package enum Attainment: Hashable, Sendable {
    /// An access level, with all lower levels.
    case level(AuthorizationLevel)

    /// A single grant.
    case grant(Grant)

    /// The level, or `nil` for a grant.
    package var level: AuthorizationLevel? {
        if case .level(let level) = self { level } else { nil }
    }

    /// The grant, or `nil` for a level.
    package var grant: Grant? {
        if case .grant(let grant) = self { grant } else { nil }
    }

    /// Returns whether a requirement includes the level or the grant, and the permissions lack it.
    ///
    /// A level below the required one is included too, since each level includes all lower levels.
    package func isMissing(in permissions: Permissions, for requirement: Requirement) -> Bool {
        switch self {
        case .level(let level): level > permissions.level && level <= requirement.level
        case .grant(let grant): requirement.grants.contains(grant) && !permissions.grants.contains(grant)
        }
    }

    /// Returns the catalog's name of the level or the grant.
    package func text(in levels: LevelLadder, _ grants: GrantList) -> String {
        switch self {
        case .level(let level): levels.text(of: level)
        case .grant(let grant): grants.text(of: grant)
        }
    }
}

/// The source of a user's effective level.
package enum LevelSource: String, Sendable {
    /// The stored state.
    case state

    /// The user's own token, with a higher level than the stored state.
    case token

    /// The app, which asserts a higher level than the stored state and the token.
    case app
}
