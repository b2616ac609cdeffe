package import DeepLinkCore

/// The number of users by the parts of their access that decide requests at a moment.
package struct AccessCounts: Sendable {
    /// The users who have the same access at the moment.
    package struct Group: Hashable, Sendable {
        /// The level, without its end.
        package let level: HeldLevel

        /// Whether the end of the level has passed.
        package let hasEnded: Bool

        /// The grants that count, in the order of the bytes of their names.
        package let grants: [GrantName]
    }

    /// The groups of users, with their numbers.
    package private(set) var groups: [Group: Int] = [:]

    /// Creates counts without users.
    package init() {}

    /// Adds users with equal names.
    ///
    /// - Parameters:
    ///   - count: The number of users.
    ///   - level: The level of one of them.
    ///   - hasEnded: Whether their levels have ended.
    ///   - grants: The names of the grants that count, in the order of their bytes.
    package mutating func add(_ count: Int, having level: HeldLevel, hasEnded: Bool, grants: [GrantName] = []) {
        let kind = HeldLevel(
            of: level.level,
            validUntil: nil,
            levelAfter: level.levelAfter,
            impliedLevelAfter: level.impliedLevelAfter
        )
        groups[Group(level: kind, hasEnded: hasEnded, grants: grants), default: 0] += count
    }

    /// Returns the number of users at each level of a ladder.
    package func levels(in ladder: LevelLadder) -> LevelCounts {
        var levels = LevelCounts()
        for (group, count) in groups { levels[group.level.level(in: ladder, hasEnded: group.hasEnded)] += count }
        return levels
    }

    /// Returns the number of users by what a catalog makes of their levels and grants.
    package func permissions(in catalog: RouteCatalog) -> [Permissions: Int] {
        var counts: [Permissions: Int] = [:]
        for (group, count) in groups {
            let level = group.level.level(in: catalog.levels, hasEnded: group.hasEnded)
            let grants = catalog.grants.set(group.grants).subtracting(catalog.grants.fromApp)
            counts[Permissions(level: level, grants: grants), default: 0] += count
        }
        return counts
    }

    /// Returns the number of users at each pair of levels that two ladders give them.
    package func levels(from old: LevelLadder, to new: LevelLadder) -> [LevelPair: Int] {
        var levels: [LevelPair: Int] = [:]
        for (group, count) in groups {
            let pair = LevelPair(
                old: group.level.level(in: old, hasEnded: group.hasEnded),
                new: group.level.level(in: new, hasEnded: group.hasEnded)
            )
            levels[pair, default: 0] += count
        }
        return levels
    }

    /// Returns the names that users have and that a ladder doesn't have, with the number of their users, in the order of
    /// the names.
    package func unknown(in ladder: LevelLadder) -> [(name: LevelName, count: Int)] {
        counted { ladder.level(stored: $0) == nil }
    }

    /// Returns the names that users have and that are former ones of a ladder, with the number of their users, in the
    /// order of the names.
    package func former(in ladder: LevelLadder) -> [(name: LevelName, count: Int)] {
        counted { name in ladder.formerNames.contains { $0.name == name } }
    }

    /// Counts the users by the first of their names that fulfils a condition.
    private func counted(_ condition: (LevelName) -> Bool) -> [(name: LevelName, count: Int)] {
        var found: [LevelName: Int] = [:]
        for (group, count) in groups {
            guard let name = Self.names(group).first(where: condition) else { continue }
            found[name, default: 0] += count
        }
        return found.sorted { $0.key.text.bytewise < $1.key.text.bytewise }.map { ($0.key, $0.value) }
    }

    /// Returns the grants that count now and that aren't among known names, with the number of their users, in the
    /// order of the names.
    package func unknownGrants(besides known: (GrantName) -> Bool) -> [(name: GrantName, count: Int)] {
        var unknown: [GrantName: Int] = [:]
        for (group, count) in groups {
            for name in group.grants where !known(name) { unknown[name, default: 0] += count }
        }
        return unknown.sorted { $0.key.text.bytewise < $1.key.text.bytewise }.map { ($0.key, $0.value) }
    }

    /// The names of levels that users have, also those after an end.
    package var names: Set<LevelName> { Set(groups.keys.flatMap(Self.names)) }

    private static func names(_ group: Group) -> [LevelName] {
        [group.level.level] + [group.level.levelAfter, group.level.impliedLevelAfter].compactMap(\.self)
    }
}
