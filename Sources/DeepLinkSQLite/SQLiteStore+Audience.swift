package import DeepLinkCore
import GRDB
import GRDBSQLite

extension SQLiteStore {
    /// The number of users per slice: some 5 ms on one core.
    private static let sliceSize = 20_000

    /// Counts the users by the level that counts at a moment, in slices, each a short read of its own: the log can be
    /// cut in between.
    ///
    /// The checksums of the rows are not verified: that would take several times as long.
    package func levelCounts(at time: Timestamp) async throws -> LevelCounts {
        var counts = LevelCounts()
        var last = ""
        while true {
            let start = last
            let slice = try await pool.read { database in
                try Self.countSlice(after: start, at: time, database)
            }
            for level in AuthorizationLevel.allCases { counts[level] += slice.counts[Int(level.rawValue)] }
            guard let end = slice.end else { return counts }
            last = end
        }
    }

    /// Counts the users of one slice by level, and returns the last id unless the slice is the last.
    ///
    /// The rule is that of `LevelGrant.level(at:)`: a level counts up to its end, that moment included. Rows are
    /// stepped through here, since SQL would have to find the end of a slice first and then add up to it: that reads
    /// each row twice.
    private static func countSlice(
        after start: String,
        at time: Timestamp,
        _ database: Database
    ) throws -> (counts: SIMD4<Int>, end: String?) {
        let statement = try database.cachedStatement(
            sql: """
                SELECT CASE
                    WHEN valid_until IS NULL OR valid_until >= ? THEN level
                    WHEN level_after IS NOT NULL THEN level_after
                    WHEN level > 0 THEN level - 1
                    ELSE 0 END, id FROM user_state WHERE id > ? ORDER BY id
                """
        )
        try statement.setArguments([time.millisecondsSinceEpoch, start])
        let rows = statement.sqliteStatement
        sqlite3_reset(rows)
        defer { sqlite3_reset(rows) }
        var counts = SIMD4<Int>()
        for number in 1...sliceSize {
            switch sqlite3_step(rows) {
            case SQLITE_ROW: counts[Int(sqlite3_column_int64(rows, 0)) & 3] &+= 1
            case SQLITE_DONE: return (counts, nil)
            case let code:
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
            }
            if number == sliceSize, let text = sqlite3_column_text(rows, 1) {
                return (counts, String(cString: text))
            }
        }
        return (counts, nil)
    }
}
