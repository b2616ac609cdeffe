package import DeepLinkCore

/// The number of users by the parts of their grants that decide a level.
package struct GrantCounts: Sendable {
    /// The parts of a grant that decide a level at some moment.
    private struct Kind: Hashable {
        let grant: LevelGrant
        let hasEnded: Bool
    }

    private var counts: [Kind: Int] = [:]

    /// Creates counts without users.
    package init() {}

    /// Adds users with equal names.
    ///
    /// - Parameters:
    ///   - count: The number of users.
    ///   - grant: A grant of one of them.
    ///   - hasEnded: Whether their grants have ended.
    package mutating func add(_ count: Int, having grant: LevelGrant, hasEnded: Bool) {
        let kind = LevelGrant(
            of: grant.level,
            validUntil: nil,
            levelAfter: grant.levelAfter,
            impliedLevelAfter: grant.impliedLevelAfter
        )
        counts[Kind(grant: kind, hasEnded: hasEnded), default: 0] += count
    }

    /// Returns the number of users at each level of a ladder.
    package func levels(in ladder: LevelLadder) -> LevelCounts {
        var levels = LevelCounts()
        for (kind, count) in counts { levels[kind.grant.level(in: ladder, hasEnded: kind.hasEnded)] += count }
        return levels
    }

    /// Returns the number of users at each pair of levels that two ladders give them.
    package func levels(from old: LevelLadder, to new: LevelLadder) -> [LevelPair: Int] {
        var levels: [LevelPair: Int] = [:]
        for (kind, count) in counts {
            let pair = LevelPair(
                old: kind.grant.level(in: old, hasEnded: kind.hasEnded),
                new: kind.grant.level(in: new, hasEnded: kind.hasEnded)
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
        for (kind, count) in counts {
            let names = [kind.grant.level] + [kind.grant.levelAfter, kind.grant.impliedLevelAfter].compactMap(\.self)
            guard let name = names.first(where: condition) else { continue }
            found[name, default: 0] += count
        }
        return found.sorted { $0.key.text.bytewise < $1.key.text.bytewise }.map { ($0.key, $0.value) }
    }

    /// The names that users have, also those after an end.
    package var names: Set<LevelName> {
        Set(
            counts.keys.flatMap { kind in
                [kind.grant.level] + [kind.grant.levelAfter, kind.grant.impliedLevelAfter].compactMap(\.self)
            }
        )
    }
}
