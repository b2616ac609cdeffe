package import DeepLinkCore
package import DeepLinkStorage

/// The number of users at each level of a ladder.
package struct LevelCounts: Hashable, Sendable {
    private var counts: [Int]

    /// Creates counts without users.
    package init() {
        counts = Array(repeating: 0, count: LevelLadder.counts.upperBound)
    }

    /// The number of users at a level.
    package subscript(level: AuthorizationLevel) -> Int {
        get { counts[Int(level.rank)] }
        set { counts[Int(level.rank)] = newValue }
    }

    /// The number of users.
    package var total: Int { counts.reduce(0, +) }
}

extension AccessCounts {
    /// Returns the number of users at each level of a ladder.
    package func levels(in ladder: LevelLadder) -> LevelCounts {
        var levels = LevelCounts()
        for (group, count) in groups { levels[group.level.level(in: ladder, hasEnded: group.hasEnded)] += count }
        return levels
    }
}
