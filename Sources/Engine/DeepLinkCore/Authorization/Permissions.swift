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

/// The level and the grants that a destination, or a stack of them, requires of a user.
///
/// Requirements form a semilattice: joining them is associative, commutative and idempotent, and ``none`` is neutral.
package struct Requirement: Hashable, Sendable {
    /// The level that the user needs.
    package var level: AuthorizationLevel

    /// The grants that the user needs, all of them.
    package var grants: GrantSet

    /// Creates a requirement; by default, there is none.
    package init(level: AuthorizationLevel = .lowest, grants: GrantSet = []) {
        self.level = level
        self.grants = grants
    }

    /// The requirement that every user meets.
    package static let none = Requirement()

    /// Returns the requirement of both: the higher level, and the grants of either.
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
    /// A level.
    case level(AuthorizationLevel)

    /// A grant.
    case grant(Grant)

    /// The level; `nil` for a grant.
    package var level: AuthorizationLevel? {
        if case .level(let level) = self { level } else { nil }
    }

    /// The grant; `nil` for a level.
    package var grant: Grant? {
        if case .grant(let grant) = self { grant } else { nil }
    }

    /// Returns whether a user with some permissions lacks it, and a requirement takes it.
    ///
    /// A level that leads to the required one is taken, too: each level includes all lower ones.
    package func isMissing(in permissions: Permissions, for requirement: Requirement) -> Bool {
        switch self {
        case .level(let level): level > permissions.level && level <= requirement.level
        case .grant(let grant): requirement.grants.contains(grant) && !permissions.grants.contains(grant)
        }
    }

    /// Returns the name by those of a catalog.
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

    /// The user's own token, whose level is higher than the stored one.
    case token

    /// The app, which asserts a level that is higher than the stored one and the token's.
    case app
}
