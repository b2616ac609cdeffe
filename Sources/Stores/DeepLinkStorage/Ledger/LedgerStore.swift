package import DeepLinkCore

/// A store that makes every change through a ``WriteLedger``, and so meets all requirements of its protocols.
package protocol LedgerStore: UserStateStore, ContinuationStore {
    /// Makes a change. When this returns, the change survives a power failure.
    func make(_ change: StoreChange) async throws -> StoreChangeOutcome
}

extension LedgerStore {
    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        guard case .saved(let outcomes) = try await make(.save([write])), let outcome = outcomes.first else {
            throw OutcomeMissingError()
        }
        return try outcome.get()
    }

    package func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>] {
        guard case .saved(let outcomes) = try await make(.save(writes)) else { throw OutcomeMissingError() }
        return outcomes
    }

    package func save(_ write: GrantWrite) async throws -> SavedGrant {
        guard case .granted(let outcome) = try await make(.grant(write)) else { throw OutcomeMissingError() }
        return try outcome.get()
    }

    package func apply(_ removal: UserStateRemoval) async throws -> RemovedUserState {
        guard case .removed(let outcome) = try await make(.remove(removal)) else { throw OutcomeMissingError() }
        return try outcome.get()
    }

    package func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer {
        guard case .kept(let kept) = try await make(.keep(answer, to: request)) else { throw OutcomeMissingError() }
        return kept
    }

    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding {
        guard case .bound(let standing) = try await make(.bind(id, to: user, until: end, at: time)) else {
            throw OutcomeMissingError()
        }
        return standing
    }

    package func spend(_ id: ContinuationID) async throws -> Bool {
        guard case .spent(let wasUnspent) = try await make(.spend(id)) else { throw OutcomeMissingError() }
        return wasUnspent
    }
}

extension LedgerStore where Self: ServiceTokenStore {
    package func add(_ token: ServiceToken) async throws { _ = try await make(.add(token)) }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        guard case .revoked(let isThere) = try await make(.revoke(id, at: time)) else { throw OutcomeMissingError() }
        return isThere
    }
}

/// The fault of a store that returns the outcome of a different kind of change.
private struct OutcomeMissingError: Error {}
