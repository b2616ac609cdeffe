package import DeepLinkStorage

/// The results of checking short links, which replicas share.
extension PostgresStore: ShortLinkCheckStore {
    package func takeCheckTurn(
        _ turn: ShortLinkCheckLease?,
        for duration: Duration
    ) async throws -> ShortLinkCheckLease? {
        // The database's clock, since the clocks of replicas differ.
        let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        return
            try await pages.rows(
                """
                INSERT INTO stored_number AS known (name, value) VALUES ('short link check', \(now) + $1::bigint)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                WHERE known.value < \(now) OR known.value = $2::bigint
                RETURNING value
                """,
                .number(duration.components.seconds * 1000),
                .number(turn?.end)
            ) { row throws(PostgresError) in ShortLinkCheckLease(end: try row.number(0)) }
            .first
    }

    package func shortLinkChecks() async throws -> [ShortLinkCheckResult] {
        try await pages.rows(
            """
            SELECT shape.text, result.grounds, result.broken FROM short_link_check AS result
            JOIN short_link_shape AS shape ON shape.digest = result.shape
            """
        ) { row throws(PostgresError) in
            ShortLinkCheckResult(
                shape: ShortLinkShape(text: try row.text(0)),
                grounds: try row.number(1),
                brokenCount: Int(try row.number(2))
            )
        }
    }

    package func keep(_ check: ShortLinkCheckResult) async throws {
        try await pages.run(
            Statement(
                """
                INSERT INTO short_link_check (shape, grounds, broken) VALUES ($1::bytea, $2::bigint, $3::bigint)
                ON CONFLICT (shape) DO UPDATE SET grounds = excluded.grounds, broken = excluded.broken
                """,
                .bytes(ShortLinkRows.digest(of: check.shape)),
                .number(check.grounds),
                .number(Int64(check.brokenCount))
            )
        )
    }
}
