import DeepLinkCore
import DeepLinkStorage

/// The reads of `user_state` and `user_history`.
enum UserRows {
    private static let stateColumns = "id, \(AccessColumns.ofState), version, updated_at, as_of"
    static let momentColumns = "user_id, as_of, grants, kept_at"
    private static let changeColumns = "version, \(AccessColumns.ofOwnChange), at, author, as_of"

    /// Reads one user's state, or `nil` if there is none.
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

    /// Counts the users by the level and the grants that are valid at a time, in one query.
    ///
    /// The rule is the same as in `HeldLevel.level(at:in:)` and `HeldGrant.isHeld(at:)`: both are valid until their
    /// end, inclusive.
    static func accessCounts(
        at time: Timestamp,
        _ connection: PostgresConnection,
        until deadline: Moment
    ) throws(PostgresError) -> AccessCounts {
        let count = Statement(
            """
            SELECT level, NULL::bigint, level_after, implied, held, has_ended::integer, count(*)
            FROM (SELECT \(AccessColumns.ofState), coalesce(valid_until < $1::bigint, false),
                    \(held) FROM user_state)
                AS access (level, valid_until, level_after, implied, grants, has_ended, held)
            GROUP BY level, level_after, implied, held, has_ended
            """,
            .number(time.millisecondsSinceEpoch)
        )
        // The server notices late that the caller has gone, so its own limit is shortly after the deadline.
        let rest = (deadline.nanoseconds - Moment.now.nanoseconds) / 1_000_000 + 100
        let limit = Statement("SELECT set_config('statement_timeout', $1::text, true)", .text(String(rest)))
        let results = try connection.run([limit, count], until: deadline)
        guard let rows = results.last else { throw .unexpected("no counts") }
        var counts = AccessCounts()
        for row in 0..<rows.count {
            counts.add(
                Int(try rows.number(row, column: 6)),
                having: try rows.level(row, column: 0),
                hasEnded: try rows.number(row, column: 5) != 0,
                grants: (GrantsText.names(try rows.optionalText(row, column: 4)) ?? [])
                    .sorted { $0.text.bytewise < $1.text.bytewise }
            )
        }
        return counts
    }

    /// The names of the grants in the column `grants` that are valid at the time `$1`, or NULL if there are none.
    private static let held = """
        CASE WHEN grants IS NOT NULL THEN (
            SELECT string_agg(split_part(split_part(word, '+', 1), '@', 1), ' ' ORDER BY word COLLATE "C")
            FROM unnest(string_to_array(grants, ' ')) AS word
            WHERE word LIKE '%+%'
                AND coalesce(nullif(split_part(word, '+', 2), '')::bigint, $1::bigint) >= $1::bigint) END
        """

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

    /// Reads the last version of a user without a state, or 0 if the user was never stored.
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
    /// Returns the results of a closure for each row.
    func map<Value>(_ body: (Int) throws(PostgresError) -> Value) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for row in 0..<count { values.append(try body(row)) }
        return values
    }

    /// Returns the user with the id in a column.
    func user(_ row: Int, column: Int) throws(PostgresError) -> UserID {
        guard let id = UserID(stored: try text(row, column: column)) else { throw .unexpected("an invalid id") }
        return id
    }

    /// Returns the level in the first columns of ``AccessColumns``.
    func level(_ row: Int, column: Int) throws(PostgresError) -> HeldLevel {
        let (after, implied) = (try name(row, column: column + 2), try name(row, column: column + 3))
        guard let level = try name(row, column: column), after == nil || implied == nil else {
            throw .unexpected("an invalid level")
        }
        return HeldLevel(
            of: level,
            validUntil: try optionalNumber(row, column: column + 1).map(Timestamp.init(millisecondsSinceEpoch:)),
            levelAfter: after,
            impliedLevelAfter: implied
        )
    }

    /// Returns the name of a level in a column, or `nil` if there is none.
    private func name(_ row: Int, column: Int) throws(PostgresError) -> LevelName? {
        guard let text = try optionalText(row, column: column) else { return nil }
        guard let name = LevelName(text) else { throw .unexpected("an invalid level") }
        return name
    }

    /// Returns the contents of a column with grants.
    func grants(_ row: Int, column: Int) throws(PostgresError) -> GrantsText.Contents {
        guard let contents = GrantsText.contents(try optionalText(row, column: column)) else {
            throw .unexpected("invalid grants")
        }
        return contents
    }

    /// Returns the access in the columns of ``AccessColumns``.
    func access(_ row: Int, column: Int) throws(PostgresError) -> UserAccess {
        try grants(row, column: column + 4).access(try level(row, column: column))
    }

    /// Returns the state in a row: id, access, version, time, and effective time of the level.
    func state(_ row: Int) throws(PostgresError) -> UserState {
        let asOf = try time(row, column: 8)
        return UserState(
            id: try user(row, column: 0),
            access: try access(row, column: 1),
            version: Int(try number(row, column: 6)),
            updatedAt: try time(row, column: 7),
            moments: try grants(row, column: 5).moments(level: asOf == AccessColumns.never ? nil : asOf)
        )
    }

    /// Returns the user in a row of `user_moment`, with the effective times.
    func keptMoments(_ row: Int) throws(PostgresError) -> (UserID, KeptMoments) {
        let kept = KeptMoments(
            level: try optionalNumber(row, column: 1),
            grants: try optionalText(row, column: 2),
            at: try time(row, column: 3)
        )
        guard let kept else { throw .unexpected("invalid moments") }
        return (try user(row, column: 0), kept)
    }

    /// Returns the change in some columns: version, access, time, author, and effective time.
    func change(_ row: Int, from column: Int) throws(PostgresError) -> UserChange {
        UserChange(
            version: Int(try number(row, column: column)),
            access: try optionalText(row, column: column + 1) == nil ? nil : try access(row, column: column + 1),
            at: try time(row, column: column + 6),
            author: try text(row, column: column + 7),
            asOf: try optionalNumber(row, column: column + 8).map(Timestamp.init(millisecondsSinceEpoch:))
        )
    }
}
