import DeepLinkCore
import DeepLinkStoring

extension WriteLedger {
    /// The most rows that one change drops from a history: more than it adds.
    private static let maximumPrunedCount = 4

    /// The users whose history may be longer than its limits.
    private var candidates: [UserID: User] {
        users.filter { _, user in
            guard let newest = user.changes.last else { return false }
            return newest.version > limits.maximumCount || limits.maximumAge != nil
        }
    }

    /// The statement that reads the beginnings of histories that may be too long; `nil` for none.
    var pruningQuestion: Statement? {
        let candidates = candidates
        guard let most = candidates.values.map(\.changes.count).max() else { return nil }
        return Statement(
            """
            SELECT change.version, change.level, change.valid_until, change.level_after, change.at, change.author,
                change.as_of, change.user_id
            FROM unnest($1::text[]) AS asked (id)
            CROSS JOIN LATERAL (
                SELECT * FROM user_history WHERE user_id = asked.id ORDER BY version LIMIT $2::bigint) AS change
            ORDER BY change.user_id, change.version
            """,
            .texts(candidates.keys.map(\.text)),
            .number(Int64(most * Self.maximumPrunedCount))
        )
    }

    /// The statement that drops what the limits no longer keep, to be run after new rows are in; `nil` for nothing.
    func pruning(_ beginnings: Rows) throws(PostgresError) -> Statement? {
        var oldest: [UserID: [UserChange]] = [:]
        for row in 0..<beginnings.count {
            oldest[try beginnings.user(row, 7), default: []].append(try beginnings.change(row, from: 0))
        }
        let ends = candidates.compactMap { id, user -> (String, Int64)? in
            guard let newest = user.changes.last else { return nil }
            let known = user.isErased ? [] : oldest[id] ?? []
            return limits.end(oldest: known + user.changes, newest: newest.version, at: newest.at)
                .map { (id.text, Int64($0)) }
        }
        guard !ends.isEmpty else { return nil }
        return Statement(
            """
            DELETE FROM user_history AS change USING unnest($1::text[], $2::bigint[]) AS dropped (id, version)
            WHERE change.user_id = dropped.id AND change.version <= dropped.version
            """,
            .texts(ends.map(\.0)),
            .numbers(ends.map(\.1))
        )
    }
}
