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
