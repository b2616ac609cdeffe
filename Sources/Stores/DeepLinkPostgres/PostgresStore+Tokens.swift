import DeepLinkCore
package import DeepLinkStorage

extension PostgresStore: ServiceTokenStore {
    package func serviceTokens() async throws -> [ServiceToken] {
        let select = "SELECT \(StoredColumnNames.token) FROM service_token ORDER BY created_at, id"
        return try await pages.rows(select) { row throws(PostgresError) in try row.serviceToken() }
    }

    package func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws {
        let uses = days.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        // Rows are locked in the order of their ids, since replicas write uses at the same time.
        try await pages.run(
            Statement(
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
        )
    }
}
