package import DeepLinkCore
import DeepLinkStoring

extension PostgresStore: UserStateStore {
    package func state(of id: UserID) async throws -> UserState? {
        try await pages.run { connection, deadline throws(PostgresError) in
            try UserRows.state(of: id, connection, until: deadline)
        }
    }

    package func grant(of id: UserID) async throws -> LevelGrant? {
        switch try await findGrant(of: id, atLeast: 0) {
        case .current(let grant), .stale(let grant): grant
        case .behind: nil
        }
    }

    package func grantAtHand(of id: UserID, atLeast version: Int) throws -> GrantFinding? {
        guard let levels else { return nil }
        if case .known(let grant) = levels.find(id, atLeast: version) { return .current(grant) }
        // What is known to be out of reach need not be waited for.
        return health.isAway ? staleGrant(of: id, atLeast: version) : nil
    }

    package func readGrant(
        of id: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<GrantFinding, any Error>) -> Void
    ) {
        let ticket = levels?.ticket(for: id)
        levelReader.readGrant(of: id, wantsVersion: version > 0) { [self] read in
            switch read {
            case .success(let stored):
                if let ticket { levels?.remember(stored.grant, version: stored.version, of: id, ticket) }
                tell(.success(GrantFinding(stored.grant, version: stored.version, wanted: version)))
            case .failure(let error):
                tell(staleGrant(of: id, atLeast: version).map { .success($0) } ?? .failure(error))
            }
        }
    }

    package var tellsStaleGrants: Bool { health.isAway && levels != nil && memory.staleIfError > .zero }

    /// Returns what counted once, for as long as the settings allow while the database is out of reach.
    private func staleGrant(of id: UserID, atLeast version: Int) -> GrantFinding? {
        guard let levels, memory.staleIfError > .zero,
            case .known(let grant) = levels.findLate(id, atLeast: version, within: memory.staleIfError)
        else { return nil }
        return .stale(grant)
    }

    package func states(after id: UserID?, limit: Int) async throws -> [UserState] {
        try await pages.run { connection, deadline throws(PostgresError) in
            try UserRows.states(after: id, limit: limit, connection, until: deadline)
        }
    }

    package func levelCounts(at time: Timestamp) async throws -> LevelCounts {
        try await counting.run { connection, deadline throws(PostgresError) in
            try UserRows.levelCounts(at: time, connection, until: deadline)
        }
    }

    package func history(of id: UserID, after version: Int, limit: Int) async throws -> [UserChange] {
        try await pages.run { connection, deadline throws(PostgresError) in
            try UserRows.history(of: id, after: version, limit: limit, connection, until: deadline)
        }
    }

    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        guard case .saved(let outcomes) = try await make(.save([write])), let outcome = outcomes.first else {
            throw PostgresError.unexpected("no outcome")
        }
        return try outcome.get()
    }

    package func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>] {
        guard case .saved(let outcomes) = try await make(.save(writes)) else {
            throw PostgresError.unexpected("no outcome")
        }
        return outcomes
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        guard case .removed(let outcome) = try await make(.remove(removal)) else {
            throw PostgresError.unexpected("no outcome")
        }
        return try outcome.get()
    }

    package func answer(to request: RepeatableRequest) async throws -> KeptAnswer? {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement(
                    """
                    SELECT caller, method, path, key, digest, status, tag, body, user_id, kept_at FROM kept_answer
                    WHERE caller = $1::text AND method = $2::text AND path = $3::text AND key = $4::text
                        AND kept_at >= $5::bigint
                    """,
                    .text(request.caller),
                    .text(request.method),
                    .text(request.path),
                    .text(request.key),
                    .number(request.horizon.millisecondsSinceEpoch)
                ),
                until: deadline
            )
            return rows.count == 0 ? nil : try rows.keptAnswer(0).1
        }
    }

    package func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer {
        guard case .kept(let kept) = try await make(.keep(answer, request)) else {
            throw PostgresError.unexpected("no outcome")
        }
        return kept
    }

    /// Says what the last look has found: a supervisor's question is no reason to ask the database.
    package func checkUsable() throws {
        guard let failure = health.lastFailure else { return }
        guard let levels, levels.isUsable(within: memory.staleIfError) else { throw failure }
    }
}
