import DeepLinkCore
import DeepLinkStorage

extension WriteLedger {
    /// Returns the statement that reads the beginnings of histories that may be too long, or `nil` if there are none.
    func pruningQuestion(_ limits: UserHistoryLimits) -> Statement? {
        let candidates = users.compactMapValues { $0.prunedChangeCount(by: limits) }
        guard let most = candidates.values.max() else { return nil }
        return Statement(
            """
            SELECT change.version, \(AccessColumns.ofChange), change.at, change.author,
                change.as_of, change.user_id
            FROM unnest($1::text[]) AS asked (id)
            CROSS JOIN LATERAL (
                SELECT * FROM user_history WHERE user_id = asked.id ORDER BY version LIMIT $2::bigint) AS change
            ORDER BY change.user_id, change.version
            """,
            .texts(candidates.keys.map(\.text)),
            .number(Int64(most))
        )
    }

    /// Returns the statement that deletes the rows beyond the limits, to run after new rows are added, or `nil` if
    /// there are none.
    func pruning(_ beginnings: ResultRows, limits: UserHistoryLimits) throws(PostgresError) -> Statement? {
        var oldest: [UserID: [UserChange]] = [:]
        for row in 0..<beginnings.count {
            oldest[try beginnings.user(row, column: 9), default: []]
                .append(try beginnings.change(row, from: 0))
        }
        let ends = users.compactMap { id, user -> (String, Int64)? in
            guard user.prunedChangeCount(by: limits) != nil else { return nil }
            return user.end(oldest: oldest[id] ?? [], limits: limits).map { (id.text, Int64($0)) }
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
