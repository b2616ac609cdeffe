import DeepLinkCore
import DeepLinkStorage
import DeepLinkUsers

/// The reads of `user_state` and `user_history`.
enum UserRows {
    private static let stateColumns = "id, \(GrantColumns.ofState), version, updated_at, as_of"
    private static let changeColumns = "version, \(GrantColumns.ofOwnChange), at, author, as_of"

    /// Reads one user's state; `nil` for none.
    static func state(of id: UserID, _ connection: PostgresConnection, until deadline: Moment) throws(PostgresError)
        -> UserState?
    {
        let rows = try connection.run(
            Statement("SELECT \(stateColumns) FROM user_state WHERE id = $1::text", .text(id.text)),
            until: deadline
        )
        return rows.count == 0 ? nil : try rows.state(0)
    }

    /// Reads states in the byte order of ids.
    static func states(
        after id: UserID?,
        limit: Int,
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> [UserState] {
        let rows = try connection.run(
            Statement(
                "SELECT \(stateColumns) FROM user_state WHERE id > $1::text ORDER BY id LIMIT $2::bigint",
                .text(id?.text ?? ""),
                .number(Int64(limit))
            ),
            until: deadline
        )
        return try rows.map { row throws(PostgresError) in try rows.state(row) }
    }

    /// Counts the users by the level that counts at a moment, in one query.
    ///
    /// The rule is that of `LevelGrant.level(at:in:)`: a level counts up to its end, that moment included.
    static func grantCounts(
        at time: Timestamp,
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> GrantCounts {
        let count = Statement(
            """
            SELECT level, NULL::bigint, level_after, implied, has_ended::integer, count(*)
            FROM (SELECT \(GrantColumns.ofState), coalesce(valid_until < $1::bigint, false) FROM user_state)
                AS grants (level, valid_until, level_after, implied, has_ended)
            GROUP BY level, level_after, implied, has_ended
            """,
            .number(time.millisecondsSinceEpoch)
        )
        // The server learns late that the caller has gone: its own limit is a little after the deadline.
        let rest = (deadline.nanoseconds - Moment.now.nanoseconds) / 1_000_000 + 100
        let limit = Statement("SELECT set_config('statement_timeout', $1::text, true)", .text(String(rest)))
        let results = try connection.run([limit, count], until: deadline)
        guard let rows = results.last else { throw .unexpected("no counts") }
        var counts = GrantCounts()
        for row in 0..<rows.count {
            counts.add(
                Int(try rows.number(row, column: 5)),
                having: try rows.grant(row, column: 0),
                hasEnded: try rows.number(row, column: 4) != 0
            )
        }
        return counts
    }

    /// Reads a user's changes, oldest first.
    static func history(
        of id: UserID,
        after version: Int,
        limit: Int,
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> [UserChange] {
        let rows = try connection.run(
            Statement(
                """
                SELECT \(changeColumns) FROM user_history WHERE user_id = $1::text AND version > $2::bigint
                ORDER BY version LIMIT $3::bigint
                """,
                .text(id.text),
                .number(Int64(version)),
                .number(Int64(limit))
            ),
            until: deadline
        )
        return try rows.map { row throws(PostgresError) in try rows.change(row, from: 0) }
    }

    /// Reads the last version of a user without a state; 0 for a user never set.
    static func lastVersion(
        of id: UserID,
        connection: PostgresConnection,
        until deadline: Moment,
        secrets: DatabaseSecrets
    ) throws(PostgresError) -> Int {
        let rows = try connection.run(
            Statement(
                """
                SELECT greatest(
                    (SELECT max(version) FROM user_history WHERE user_id = $1::text),
                    (SELECT version FROM erased_user WHERE digest = $2::bytea))
                """,
                .text(id.text),
                .bytes(secrets.digest(of: id))
            ),
            until: deadline
        )
        return Int(try rows.optionalNumber(0, column: 0) ?? 0)
    }
}

extension ResultRows {
    /// Returns the results of a body for each row.
    func map<Value>(_ body: (Int) throws(PostgresError) -> Value) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for row in 0..<count { values.append(try body(row)) }
        return values
    }

    /// Returns the user whose id is in a column.
    func user(_ row: Int, column: Int) throws(PostgresError) -> UserID {
        guard let id = UserID(stored: try text(row, column: column)) else { throw .unexpected("an invalid id") }
        return id
    }

    /// Returns the grant in the columns of ``GrantColumns``.
    func grant(_ row: Int, column: Int) throws(PostgresError) -> LevelGrant {
        let (after, implied) = (try name(row, column: column + 2), try name(row, column: column + 3))
        guard let level = try name(row, column: column), after == nil || implied == nil else {
            throw .unexpected("an invalid level")
        }
        return LevelGrant(
            of: level,
            validUntil: try optionalNumber(row, column: column + 1).map(Timestamp.init(millisecondsSinceEpoch:)),
            levelAfter: after,
            impliedLevelAfter: implied
        )
    }

    /// Returns the name of a level in a column; `nil` for none.
    private func name(_ row: Int, column: Int) throws(PostgresError) -> LevelName? {
        guard let text = try optionalText(row, column: column) else { return nil }
        guard let name = LevelName(text) else { throw .unexpected("an invalid level") }
        return name
    }

    /// Returns the state in a row: id, grant, version, time, and moment as of which it counts.
    func state(_ row: Int) throws(PostgresError) -> UserState {
        UserState(
            id: try user(row, column: 0),
            grant: try grant(row, column: 1),
            version: Int(try number(row, column: 5)),
            updatedAt: try time(row, column: 6),
            asOf: try time(row, column: 7)
        )
    }

    /// Returns the change in some columns: version, grant, time, author, and moment as of which it counts.
    func change(_ row: Int, from column: Int) throws(PostgresError) -> UserChange {
        UserChange(
            version: Int(try number(row, column: column)),
            grant: try optionalText(row, column: column + 1) == nil ? nil : try grant(row, column: column + 1),
            at: try time(row, column: column + 5),
            author: try text(row, column: column + 6),
            asOf: try optionalNumber(row, column: column + 7).map(Timestamp.init(millisecondsSinceEpoch:))
        )
    }
}
