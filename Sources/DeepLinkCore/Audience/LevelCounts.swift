/// The number of users at each level.
package struct LevelCounts: Hashable, Sendable {
    private var counts: [Int]

    /// Creates counts without users.
    package init() {
        counts = Array(repeating: 0, count: AuthorizationLevel.allCases.count)
    }

    /// The number of users at a level.
    package subscript(level: AuthorizationLevel) -> Int {
        get { counts[Int(level.rawValue)] }
        set { counts[Int(level.rawValue)] = newValue }
    }

    /// The number of users.
    package var total: Int { counts.reduce(0, +) }
}
