package import DeepLinkCore
package import DeepLinkStorage

extension PostgresStore: LedgerStore {
    package func state(of id: UserID) async throws -> UserState? {
        try await pages.rows(
            "SELECT \(UserRows.stateColumns) FROM user_state WHERE id = $1::text",
            .text(id.text),
            each: UserState.init
        )
        .first
    }

    package func access(of id: UserID, atLeast version: Int) throws -> Answer<AccessLookupResult> {
        if case .known(let access)? = levels?.find(id, atLeast: version) { return .ready(.current(access)) }
        // A database known to be out of reach isn't waited for.
        if health.isAway, let stale = staleAccess(of: id, atLeast: version) { return .ready(stale) }
        return .waiting { [self] in try await readAccess(of: id, atLeast: version) }
    }

    private func readAccess(of id: UserID, atLeast version: Int) async throws -> AccessLookupResult {
        let ticket = levels?.ticket(for: id)
        do {
            let stored = try await levelReader.access(of: id, digest: version > 0 ? secrets.digest(of: id) : nil)
            if let ticket { levels?.remember(stored.access, version: stored.version, of: id, ticket: ticket) }
            return AccessLookupResult(stored.access, version: stored.version, wanted: version)
        } catch {
            guard let stale = staleAccess(of: id, atLeast: version) else { throw error }
            return stale
        }
    }

    package var tellsStaleAccess: Bool { health.isAway && levels != nil && memory.staleIfError > .zero }

    /// Returns the last known access while the database is unreachable, within the configured limit.
    private func staleAccess(of id: UserID, atLeast version: Int) -> AccessLookupResult? {
        guard let levels, memory.staleIfError > .zero,
            case .known(let access) = levels.findLate(id, atLeast: version, within: memory.staleIfError)
        else { return nil }
        return .stale(access)
    }

    package func states(after id: UserID?, limit: Int) async throws -> [UserState] {
        try await pages.rows(
            "SELECT \(UserRows.stateColumns) FROM user_state WHERE id > $1::text ORDER BY id LIMIT $2::bigint",
            .text(id?.text ?? ""),
            .number(Int64(limit)),
            each: UserState.init
        )
    }

    package func accessCounts(at time: Timestamp) async throws -> AccessCounts {
        try await counting.run { connection throws(PostgresError) in try connection.accessCounts(at: time) }
    }

    package func history(of id: UserID, after version: Int, limit: Int) async throws -> [UserChange] {
        try await pages.rows(
            """
            SELECT \(UserRows.ownChangeColumns) FROM user_history WHERE user_id = $1::text AND version > $2::bigint
            ORDER BY version LIMIT $3::bigint
            """,
            .text(id.text),
            .number(Int64(version)),
            .number(Int64(limit)),
            each: UserChange.init
        )
    }

    package func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
        // This includes errors, after which it is unknown what is stored.
        defer { links?.forget(change.needs.links) }
        return try await writer.make(change)
    }

    package func answer(to request: KeyedRequest) async throws -> StoredResponse? {
        try await pages.rows(
            """
            SELECT \(StoredColumnNames.answer) FROM kept_answer
            WHERE caller = $1::text AND method = $2::text AND path = $3::text AND key = $4::text
                AND kept_at >= $5::bigint
            """,
            .text(request.caller),
            .text(request.method),
            .text(request.path),
            .text(request.key),
            .number(request.horizon.millisecondsSinceEpoch)
        ) { row throws(PostgresError) in try row.storedResponse().answer }
        .first
    }

    /// Checks the outcome of the last search.
    ///
    /// A health check does not justify a query.
    package func checkUsable() throws {
        guard let failure = health.lastFailure else { return }
        guard let levels, levels.isUsable(within: memory.staleIfError) else { throw failure }
    }
}

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
