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
