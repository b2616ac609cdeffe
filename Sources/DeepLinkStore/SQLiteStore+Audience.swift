package import DeepLinkCore
import GRDB

extension SQLiteStore {
    /// The users of a slice: some 10 ms on one core, and few enough that a count of them takes 16 bits.
    private static let sliceSize = 20_000

    /// Counts the users by the level that counts at a moment, slice by slice, each a short read of its own: the log can be
    /// cut in between.
    ///
    /// The checksums of the rows are not looked at: that would take several times as long.
    package func levelCounts(at time: Timestamp) async throws -> LevelCounts {
        var counts = LevelCounts()
        var last = ""
        while true {
            let start = last
            let (packed, end) = try await pool.read { database in try Self.countSlice(after: start, at: time, database)
            }
            for level in AuthorizationLevel.allCases {
                counts[level] += Int(packed >> (16 * Int64(level.rawValue)) & 0xFFFF)
            }
            guard let end else { return counts }
            last = end
        }
    }

    /// Counts the users of one slice, four counts in a number; the last id, unless the slice is the last.
    ///
    /// What `LevelGrant.level(at:)` says: a level counts up to its end, that moment included.
    private static func countSlice(
        after start: String,
        at time: Timestamp,
        _ database: Database
    ) throws -> (packed: Int64, end: String?) {
        let end = try String.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM user_state WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?"),
            arguments: [start, sliceSize - 1]
        )
        let sum = """
            SELECT coalesce(sum(1 << 16 * CASE
                WHEN valid_until IS NULL OR valid_until >= ? THEN level
                WHEN level_after IS NOT NULL THEN level_after
                WHEN level > 0 THEN level - 1
                ELSE 0 END), 0) FROM user_state WHERE id > ?
            """
        let now = time.millisecondsSinceEpoch
        guard let end else {
            let statement = try database.cachedStatement(sql: sum)
            return (try Int64.fetchOne(statement, arguments: [now, start]) ?? 0, nil)
        }
        let statement = try database.cachedStatement(sql: sum + " AND id <= ?")
        return (try Int64.fetchOne(statement, arguments: [now, start, end]) ?? 0, end)
    }
}
