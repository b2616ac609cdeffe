package import DeepLinkStorage

/// The results of checking short links, which replicas share.
extension PostgresStore: ShortLinkCheckStore {
    package func takeCheckTurn(
        _ turn: ShortLinkCheckTurn?,
        for duration: Duration
    ) async throws -> ShortLinkCheckTurn? {
        // The database's clock, since the clocks of replicas differ.
        let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        let statement = Statement(
            """
            INSERT INTO stored_number AS known (name, value) VALUES ('short link check', \(now) + $1::bigint)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE known.value < \(now) OR known.value = $2::bigint
            RETURNING value
            """,
            .number(duration.components.seconds * 1000),
            .number(turn?.end)
        )
        return try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(statement, until: deadline)
            return rows.count == 0 ? nil : ShortLinkCheckTurn(end: try rows.number(0, column: 0))
        }
    }

    package func shortLinkChecks() async throws -> [ShortLinkCheck] {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement(
                    """
                    SELECT shape.text, result.grounds, result.broken FROM short_link_check AS result
                    JOIN short_link_shape AS shape ON shape.digest = result.shape
                    """
                ),
                until: deadline
            )
            return try rows.map { row throws(PostgresError) in
                ShortLinkCheck(
                    shape: ShortLinkShape(text: try rows.text(row, column: 0)),
                    grounds: try rows.number(row, column: 1),
                    brokenCount: Int(try rows.number(row, column: 2))
                )
            }
        }
    }

    package func keep(_ check: ShortLinkCheck) async throws {
        let statement = Statement(
            """
            INSERT INTO short_link_check (shape, grounds, broken) VALUES ($1::bytea, $2::bigint, $3::bigint)
            ON CONFLICT (shape) DO UPDATE SET grounds = excluded.grounds, broken = excluded.broken
            """,
            .bytes(ShortLinkRows.digest(of: check.shape)),
            .number(check.grounds),
            .number(Int64(check.brokenCount))
        )
        try await pages.run { connection, deadline throws(PostgresError) in
            _ = try connection.run(statement, until: deadline)
        }
    }
}
