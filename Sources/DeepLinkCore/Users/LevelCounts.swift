/// How many users have each level.
public struct LevelCounts: Hashable, Sendable {
    private var counts: [Int]

    /// Begins with no user.
    public init() {
        counts = Array(repeating: 0, count: AuthorizationLevel.allCases.count)
    }

    /// The number of users with a level.
    public subscript(level: AuthorizationLevel) -> Int {
        get { counts[Int(level.rawValue)] }
        set { counts[Int(level.rawValue)] = newValue }
    }

    /// The number of users.
    public var total: Int { counts.reduce(0, +) }
}

extension UserStateStore {
    /// Counts the users that are stored, by the level that counts at a moment.
    ///
    /// Exact for users who do not change meanwhile. A store that can count without handing every state out does so
    /// instead, and holds no other work up for more than 100 ms.
    public func levelCounts(at time: Timestamp) async throws -> LevelCounts {
        var counts = LevelCounts()
        var last: UserID?
        while true {
            let page = try await states(after: last, limit: UserStateSlices.atomicSize)
            for state in page { counts[state.level(at: time)] += 1 }
            guard page.count == UserStateSlices.atomicSize else { return counts }
            last = page.last?.id
            await Task.yield()
        }
    }
}
