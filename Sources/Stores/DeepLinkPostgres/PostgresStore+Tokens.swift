import DeepLinkCore
package import DeepLinkStorage

extension PostgresStore: ServiceTokenStore {
    package func serviceTokens() async throws -> [ServiceToken] {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement(
                    """
                    SELECT id, digest, role, note, created_at, expires_at, revoked_at, grants, last_used
                    FROM service_token
                    ORDER BY created_at, id
                    """
                ),
                until: deadline
            )
            return try rows.map { row throws(PostgresError) in try rows.serviceToken(row) }
        }
    }

    package func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws {
        let uses = days.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        // Rows are locked in the order of their ids, since replicas write uses at the same time.
        let statement = Statement(
            """
            WITH used AS (
                SELECT token.id, new.day FROM unnest($1::text[], $2::integer[]) AS new (id, day)
                JOIN service_token AS token ON token.id = new.id
                WHERE token.last_used IS NULL OR token.last_used < new.day ORDER BY token.id FOR UPDATE OF token)
            UPDATE service_token AS token SET last_used = greatest(token.last_used, used.day)
            FROM used WHERE token.id = used.id
            """,
            .texts(uses.map(\.key.text)),
            .numbers(uses.map { Int64($0.value.number) })
        )
        try await pages.run { connection, deadline throws(PostgresError) in
            _ = try connection.run(statement, until: deadline)
        }
    }
}

extension ResultRows {
    /// Returns the token in a row.
    func serviceToken(_ row: Int) throws(PostgresError) -> ServiceToken {
        guard let id = ServiceTokenID(try text(row, column: 0)), let role = Role(bytewise: try text(row, column: 2)),
            let grants = GrantsText.names(try optionalText(row, column: 7))
        else {
            throw .unexpected("an invalid token")
        }
        return ServiceToken(
            id: id,
            digest: try byteString(row, column: 1),
            role: role,
            grants: grants,
            note: try text(row, column: 3),
            created: try time(row, column: 4),
            expires: try optionalNumber(row, column: 5).map(Timestamp.init(millisecondsSinceEpoch:)),
            revoked: try optionalNumber(row, column: 6).map(Timestamp.init(millisecondsSinceEpoch:)),
            lastUsed: try optionalNumber(row, column: 8).map { CountedDay(number: Int($0)) }
        )
    }
}
