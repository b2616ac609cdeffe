package import DeepLinkCore
package import DeepLinkStorage
import GRDB
import GRDBSQLite

extension SQLiteStore {
    /// The number of users per batch, which takes some 5 ms on one core.
    private static let sliceSize = 20_000

    /// Counts the users by the parts of their access that decide requests at a time.
    ///
    /// The users are read in batches, each a short read of its own, so that the log can be truncated in between. The
    /// checksums of the rows are not verified, which would take several times as long.
    package func accessCounts(at time: Timestamp) async throws -> AccessCounts {
        var counts = AccessCounts()
        var last = ""
        while true {
            let start = last
            let slice = try await pool.read { database in
                try Self.countSlice(after: start, at: time, database)
            }
            for kind in slice.kinds {
                guard let level = kind.columns.heldLevel else { continue }
                counts.add(kind.count, having: level, hasEnded: kind.hasEnded, grants: kind.grants)
            }
            guard let end = slice.end else { return counts }
            last = end
        }
    }

    /// The users of a batch with the same names.
    private struct Kind {
        let columns: AccessColumns
        let hasEnded: Bool

        /// The names of the valid grants.
        let grants: [GrantName]

        var count: Int

        /// Returns whether the current row of a statement has these names.
        func matches(_ rows: SQLiteStatement, hasEnded: Bool, grants: [GrantName]) -> Bool {
            self.hasEnded == hasEnded && self.grants == grants && Self.isEqual(columns.level, to: rows, column: 1)
                && Self.isEqual(columns.levelAfter, to: rows, column: 2)
                && Self.isEqual(columns.impliedLevelAfter, to: rows, column: 3)
        }

        private static func isEqual(_ text: String?, to rows: SQLiteStatement, column: CInt) -> Bool {
            guard let bytes = sqlite3_column_text(rows, column) else { return text == nil }
            guard let text, text.utf8.count == Int(sqlite3_column_bytes(rows, column)) else { return false }
            return text.utf8.elementsEqual(UnsafeBufferPointer(start: bytes, count: text.utf8.count))
        }
    }

    /// Returns the names of the valid grants in the current row of a statement.
    ///
    /// A damaged text has none.
    ///
    /// - Throws: ``DamagedRowError`` for a column of another type.
    private static func grants(of row: SQLiteRow, at time: Timestamp) throws(DamagedRowError) -> [GrantName] {
        guard let text = try row.text(5) else { return [] }
        return GrantsCoding.contents(text)?.held.filter { $0.isHeld(at: time) }.map(\.name) ?? []
    }

    /// Counts the users of one batch by their names, and returns the last id unless the batch is the last.
    ///
    /// The rule is the same as in `LevelAssignment.level(at:in:)`: a level is valid until its end, inclusive. Swift
    /// code steps through the rows, because SQL would have to find the end of a batch first and then add up to it,
    /// which reads each row twice.
    private static func countSlice(
        after start: String,
        at time: Timestamp,
        _ database: Database
    ) throws -> (kinds: [Kind], end: String?) {
        let statement = try database.cachedStatement(
            sql: """
                SELECT valid_until < ?, level, level_after, implied_level_after, id, grants FROM user_state
                WHERE id > ? ORDER BY id
                """
        )
        try statement.setArguments([time.millisecondsSinceEpoch, start])
        let rows = statement.sqliteStatement
        sqlite3_reset(rows)
        defer { sqlite3_reset(rows) }
        var kinds: [Kind] = []
        for number in 1...sliceSize {
            guard let row = try SQLiteRow.next(rows, of: UserStateRecord.table, database) else { break }
            let hasEnded = sqlite3_column_int64(rows, 0) == 1
            let grants = try grants(of: row, at: time)
            if let place = kinds.firstIndex(where: { $0.matches(rows, hasEnded: hasEnded, grants: grants) }) {
                kinds[place].count += 1
            } else {
                let columns = AccessColumns(
                    level: try row.text(1),
                    validUntil: nil,
                    levelAfter: try row.text(2),
                    impliedLevelAfter: try row.text(3),
                    grants: nil
                )
                kinds.append(Kind(columns: columns, hasEnded: hasEnded, grants: grants, count: 1))
            }
            if number == sliceSize, let id = try row.text(4) { return (kinds, id) }
        }
        return (kinds, nil)
    }
}
