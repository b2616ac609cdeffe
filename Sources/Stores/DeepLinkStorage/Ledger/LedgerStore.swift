package import DeepLinkCore

/// A store that makes every change through a ``WriteLedger``, and so meets all requirements of its protocols.
package protocol LedgerStore: UserStateStore, ContinuationStore {
    /// Makes a change. When this returns, the change survives a power failure.
    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome
}

extension LedgerStore {
    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try await make(.save([write]))[0].get()
    }

    package func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>] {
        try await make(.save(writes))
    }

    package func save(_ write: GrantWrite) async throws -> SavedGrant { try await make(.grant(write)).get() }

    package func apply(_ removal: UserStateRemoval) async throws -> RemovedUserState {
        try await make(.remove(removal)).get()
    }

    package func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer {
        try await make(.keep(answer, to: request))
    }

    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding { try await make(.bind(id, to: user, until: end, at: time)) }

    package func spend(_ id: ContinuationID) async throws -> Bool { try await make(.spend(id)) }
}

extension LedgerStore where Self: ServiceTokenStore {
    package func add(_ token: ServiceToken) async throws { try await make(.add(token)) }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        try await make(.revoke(id, at: time))
    }
}

/// A store that makes every change of short links through a ``WriteLedger``.
package protocol ShortLinkLedgerStore: LedgerStore, ShortLinkStore {
    /// The generator of random codes.
    var drawing: ShortLinkDrawing { get }
}

extension ShortLinkLedgerStore {
    package func save(_ write: ShortLinkWrite) async throws -> SavedShortLink {
        try await saveEach([write])[0].get()
    }

    package func saveEach(_ writes: [ShortLinkWrite]) async throws -> [Result<SavedShortLink, ShortLinkWriteError>] {
        var outcomes: [Int: Result<SavedShortLink, ShortLinkWriteError>] = [:]
        var open = Array(writes.indices)
        for _ in 0..<maximumDrawCount where !open.isEmpty {
            let drafts = open.map { ShortLinkDraft(writes[$0], drawing: drawing) }
            var collided: [Int] = []
            for (index, result) in zip(open, try await make(.saveLinks(drafts))) {
                switch result {
                case .success(let saved): outcomes[index] = .success(saved)
                case .failure(.refused(let error)): outcomes[index] = .failure(error)
                case .failure(.collision): collided.append(index)
                }
            }
            open = collided
        }
        return try writes.indices.map { index in
            guard let outcome = outcomes[index] else { throw CodesUnavailableError() }
            return outcome
        }
    }

    package func withdraw(_ removal: ShortLinkRemoval) async throws -> SavedShortLink? {
        try await make(.withdrawLink(removal)).get()
    }
}

/// The maximum number of random codes to try for one link.
///
/// With ten characters and ten million links, one code in 10^8 is taken.
private let maximumDrawCount = 16

/// The fault of a generator that only returns codes that are taken.
private struct CodesUnavailableError: Error, CustomStringConvertible {
    let description = "No code could be drawn for a short link: the codes that were drawn are all taken."
}
