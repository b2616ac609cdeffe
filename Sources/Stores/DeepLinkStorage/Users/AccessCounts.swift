package import DeepLinkCore

/// The number of users by the parts of their access that decide requests at a given time.
package struct AccessCounts: Sendable {
    /// Users with the same access at the time.
    package struct Group: Hashable, Sendable {
        /// The level, without its end.
        package let level: LevelAssignment

        /// Whether the end of the level has passed.
        package let hasEnded: Bool

        /// The grants that are valid, in the order of the bytes of their names.
        package let grants: [GrantName]

        /// Returns the level and the grants in a catalog, without stored grants that only the app asserts.
        fileprivate func permissions(in catalog: RouteCatalog) -> Permissions {
            Permissions(
                level: level.level(in: catalog.levels, hasEnded: hasEnded),
                grants: catalog.grants.set(grants).subtracting(catalog.grants.fromApp)
            )
        }
    }

    /// The groups of users, with their numbers.
    package private(set) var groups: [Group: Int] = [:]

    /// Creates counts of zero.
    package init() {}

    /// Adds users with the same access, given the level of one of them, and their valid grants in the order of bytes.
    package mutating func add(_ count: Int, having level: LevelAssignment, hasEnded: Bool, grants: [GrantName] = []) {
        let kind = LevelAssignment(
            of: level.level,
            validUntil: nil,
            levelAfter: level.levelAfter,
            impliedLevelAfter: level.impliedLevelAfter
        )
        groups[Group(level: kind, hasEnded: hasEnded, grants: grants), default: 0] += count
    }

    /// Returns the number of users by their levels and grants in a catalog.
    package func permissions(in catalog: RouteCatalog) -> [Permissions: Int] {
        grouped { $0.permissions(in: catalog) }
    }

    /// Returns the number of users by their levels and grants in two catalogs.
    package func permissions(from old: RouteCatalog, to new: RouteCatalog) -> [PermissionsPair: Int] {
        grouped { PermissionsPair(old: $0.permissions(in: old), new: $0.permissions(in: new)) }
    }

    private func grouped<Key>(by key: (Group) -> Key) -> [Key: Int] {
        groups.reduce(into: [:]) { counts, group in counts[key(group.key), default: 0] += group.value }
    }

    /// Returns the level names of users that a catalog lacks, ordered by name, with the number of their users.
    package func unknown(in ladder: LevelLadder) -> [(name: LevelName, count: Int)] {
        counted { ladder.level(stored: $0) == nil }
    }

    /// Returns the level names of users that are former names in a catalog, ordered by name, with the number of their
    /// users.
    package func former(in ladder: LevelLadder) -> [(name: LevelName, count: Int)] {
        counted { name in ladder.formerNames.contains { $0.name == name } }
    }

    /// Counts the users by the first of their level names that satisfies a condition.
    private func counted(_ condition: (LevelName) -> Bool) -> [(name: LevelName, count: Int)] {
        var found: [LevelName: Int] = [:]
        for (group, count) in groups {
            guard let name = Self.names(group).first(where: condition) else { continue }
            found[name, default: 0] += count
        }
        return found.sorted { $0.key.text.bytewise < $1.key.text.bytewise }.map { ($0.key, $0.value) }
    }

    /// Returns the valid grants that aren't among known names, ordered by name, with the number of their users.
    package func unknownGrants(besides known: (GrantName) -> Bool) -> [(name: GrantName, count: Int)] {
        var unknown: [GrantName: Int] = [:]
        for (group, count) in groups {
            for name in group.grants where !known(name) { unknown[name, default: 0] += count }
        }
        return unknown.sorted { $0.key.text.bytewise < $1.key.text.bytewise }.map { ($0.key, $0.value) }
    }

    /// The level names of users, including levels after an end.
    package var names: Set<LevelName> { Set(groups.keys.flatMap(Self.names)) }

    private static func names(_ group: Group) -> [LevelName] {
        [group.level.level] + [group.level.levelAfter, group.level.impliedLevelAfter].compactMap(\.self)
    }
}
