import DeepLinkCore
import DeepLinkStorage

/// The columns of users, as `ResultRow` reads them.
enum UserRows {
    static let stateColumns = "id, \(AccessColumns.ofState), version, updated_at, as_of"
    static let ownChangeColumns = "version, \(AccessColumns.ofOwnChange), at, author, as_of"
    static let changeColumns = """
        change.version, \(AccessColumns.ofChange), change.at, change.author, change.as_of, change.user_id
        """
    static let redemptionColumns = "id, user_id, expires_at, is_spent::integer"

    /// The names of the grants in the column `grants` that are valid at the time `$1`, or NULL if there are none.
    static let held = """
        CASE WHEN grants IS NOT NULL THEN (
            SELECT string_agg(split_part(split_part(word, '+', 1), '@', 1), ' ' ORDER BY word COLLATE "C")
            FROM unnest(string_to_array(grants, ' ')) AS word
            WHERE word LIKE '%+%'
                AND coalesce(nullif(split_part(word, '+', 2), '')::bigint, $1::bigint) >= $1::bigint) END
        """
}

extension PostgresConnection {
    /// Reads the last version of a user without a state, or 0 if the user was never stored.
    func lastVersion(of id: UserID, digest: [UInt8]) throws(PostgresError) -> Int {
        let rows = try run(
            """
            SELECT greatest(
                (SELECT max(version) FROM user_history WHERE user_id = $1::text),
                (SELECT version FROM erased_user WHERE digest = $2::bytea))
            """,
            .text(id.text),
            .bytes(digest)
        )
        return Int(try rows[0].optionalNumber(0) ?? 0)
    }

    /// Counts the users by the level and the grants that are valid at a time, in one query.
    ///
    /// The rule is the same as in `LevelAssignment.level(at:in:)` and `GrantAssignment.isHeld(at:)`: both are valid
    /// until their end, inclusive.
    func accessCounts(at time: Timestamp) throws(PostgresError) -> AccessCounts {
        // The server notices late that the caller has gone, so its own limit is shortly after the deadline.
        let rest = (deadline.nanoseconds - MonotonicInstant.now.nanoseconds) / 1_000_000 + 100
        let results = try run([
            Statement("SELECT set_config('statement_timeout', $1::text, true)", .text(String(rest))),
            Statement(
                """
                SELECT level, NULL::bigint, level_after, implied, held, has_ended::integer, count(*)
                FROM (SELECT \(AccessColumns.ofState), coalesce(valid_until < $1::bigint, false),
                        \(UserRows.held) FROM user_state)
                    AS access (level, valid_until, level_after, implied, grants, has_ended, held)
                GROUP BY level, level_after, implied, held, has_ended
                """,
                .number(time.millisecondsSinceEpoch)
            ),
        ])
        var counts = AccessCounts()
        for row in results[1] {
            counts.add(
                Int(try row.number(6)),
                having: try row.level(0),
                hasEnded: try row.number(5) != 0,
                grants: (GrantsCoding.names(try row.optionalText(4)) ?? [])
                    .sorted { $0.text.bytewise < $1.text.bytewise }
            )
        }
        return counts
    }
}

extension ResultRow {
    /// Returns the level in the first columns of ``AccessColumns``.
    func level(_ column: Int) throws(PostgresError) -> LevelAssignment {
        let (after, implied) = (try name(column + 2), try name(column + 3))
        guard let level = try name(column), after == nil || implied == nil else {
            throw .unexpected("an invalid level")
        }
        return LevelAssignment(
            of: level,
            validUntil: try optionalTime(column + 1),
            levelAfter: after,
            impliedLevelAfter: implied
        )
    }

    /// Returns the name of a level in a column, or `nil` if there is none.
    private func name(_ column: Int) throws(PostgresError) -> LevelName? {
        guard let text = try optionalText(column) else { return nil }
        guard let name = LevelName(text) else { throw .unexpected("an invalid level") }
        return name
    }

    /// Returns the contents of a column with grants.
    fileprivate func grants(_ column: Int) throws(PostgresError) -> GrantsCoding.Contents {
        guard let contents = GrantsCoding.contents(try optionalText(column)) else {
            throw .unexpected("invalid grants")
        }
        return contents
    }

    /// Returns the access in the columns of ``AccessColumns``.
    func access(_ column: Int) throws(PostgresError) -> UserAccess {
        try grants(column + 4).access(try level(column))
    }
}

extension UserState {
    /// Reads a row of `UserRows.stateColumns`.
    init(_ row: ResultRow) throws(PostgresError) {
        let asOf = try row.time(8)
        self.init(
            id: try row.user(0),
            access: try row.access(1),
            version: Int(try row.number(6)),
            updatedAt: try row.time(7),
            timestamps: try row.grants(5).timestamps(level: asOf == AccessColumns.never ? nil : asOf)
        )
    }
}

extension UserChange {
    /// Reads a row of `UserRows.changeColumns`.
    init(_ row: ResultRow) throws(PostgresError) {
        self.init(
            version: Int(try row.number(0)),
            access: try row.optionalText(1) == nil ? nil : try row.access(1),
            at: try row.time(6),
            author: try row.text(7),
            asOf: try row.optionalTime(8)
        )
    }
}
