package import DeepLinkCore

/// A store of user states: the interface through which the HTTP layer and the commands reach each implementation.
///
/// A user's cached grant is read at once, so that resolving a link costs no hop between threads; everything else may
/// wait for a database, and never waits for a write. Every implementation passes the same conformance suite,
/// `UserStateStoreConformance` in the tests. Errors other than ``UserStateWriteError`` mean that the store is broken or
/// unreachable.
package protocol UserStateStore: KeptAnswerStore {
    /// Reads one user's state; `nil` for a user never set, or deleted.
    func state(of id: UserID) async throws -> UserState?

    /// Reads the grant that decides a user's level, possibly from memory; `nil` for a user never set, or deleted.
    ///
    /// It is that of the last acknowledged write, or of a later one. A change that another process has made may take a
    /// second to be seen.
    func grant(of id: UserID) async throws -> LevelGrant?

    /// Reads the same, as far as that waits for nothing.
    ///
    /// - Parameters:
    ///   - id: the user.
    ///   - version: the version that the user must have come to; 0 for any.
    /// - Returns: `nil` if it has to be waited for.
    /// - Throws: an error of a store that is broken.
    func grantAtHand(of id: UserID, atLeast version: Int) throws -> GrantLookup?

    /// Reads the grant that was not cached, and calls back with it once, now or later, on any thread; nobody need wait.
    func readGrant(
        of id: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<GrantLookup, any Error>) -> Void
    )

    /// Whether the database is unreachable, and grants that may be out of date are returned
    /// (``GrantLookup/stale(_:)``).
    var tellsStaleGrants: Bool { get }

    /// Reads up to `limit` states in the order of the ids' bytes, beginning after an id.
    func states(after id: UserID?, limit: Int) async throws -> [UserState]

    /// Counts the users that are stored, by the parts of their grants that decide the level at a moment.
    ///
    /// Exact for users who do not change meanwhile; no other work is held up for more than 100 ms.
    func grantCounts(at time: Timestamp) async throws -> GrantCounts

    /// Reads up to `limit` changes of one user, oldest first, deletions included, beginning after a version (0 for
    /// all); empty for a user never set.
    ///
    /// The oldest may have been dropped (``UserHistoryLimits``); the newest is always there.
    func history(of id: UserID, after version: Int, limit: Int) async throws -> [UserChange]

    /// Replaces a user's state whole; when this returns, the change survives a loss of power.
    ///
    /// A write of the grant that is there already moves ``UserState/asOf`` alone: neither version nor time, and the
    /// history gets no row. One that is older than the state, or than its deletion, changes nothing (``ChangeOrder``).
    ///
    /// - Throws: ``UserStateWriteError``, where nothing was changed.
    func save(_ write: UserStateWrite) async throws -> SavedUserState

    /// Replaces several states in their order, each by itself, and all in one commit; when this returns, the changes
    /// survive a loss of power.
    ///
    /// Other changes wait as long as this takes, so it is to be called with ``UserStateSlices/size`` writes at most, or
    /// ``UserStateSlices/atomicSize`` that belong together: if the store fails, none of them is made.
    ///
    /// - Returns: the outcome of each write.
    func saveEach(_ writes: [UserStateWrite]) async throws -> [Result<SavedUserState, UserStateWriteError>]

    /// Deletes a user's state; the user's versions go on afterwards.
    ///
    /// An erasure forgets all else that is kept of the user as well: the history, answers to requests, who redeemed which
    /// continuation. A continuation that the user bound stays bound, to nobody. A digest of the id, with a key, keeps the
    /// last version and its moment.
    ///
    /// - Returns: whether there was a state; for an erasure, or a history.
    /// - Throws: ``UserStateWriteError``, where nothing was changed.
    func remove(_ removal: UserStateRemoval) async throws -> Bool

    /// Checks that states can be read, without waiting.
    func checkUsable() throws

    /// Whether changes are refused now, as the last one has shown: the disk is full, or the file is being checked.
    var refusesWrites: Bool { get }
}

extension UserStateStore {
    /// Reads the grant that decides a user's level, and waits for it if it is not cached.
    package func findGrant(of id: UserID, atLeast version: Int) async throws -> GrantLookup {
        if let finding = try grantAtHand(of: id, atLeast: version) { return finding }
        return try await withCheckedThrowingContinuation { continuation in
            readGrant(of: id, atLeast: version) { continuation.resume(with: $0) }
        }
    }

    /// Whether grants that may be out of date are returned; never, by a store that is always reachable.
    package var tellsStaleGrants: Bool { false }

    /// Whether changes are refused; never, by a store that is always within reach.
    package var refusesWrites: Bool { false }

    /// Tells a grant that is always at hand.
    package func readGrant(
        of id: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<GrantLookup, any Error>) -> Void
    ) {
        tell(
            Result {
                guard let finding = try grantAtHand(of: id, atLeast: version) else { throw GrantNotAtHandError() }
                return finding
            }
        )
    }
}

extension UserStateStore {
    /// Counts the users that are stored, by the parts of their grants that decide the level at a moment.
    ///
    /// Exact for users who do not change meanwhile. A store that can count without handing every state out does so
    /// instead, and holds no other work up for more than 100 ms.
    package func grantCounts(at time: Timestamp) async throws -> GrantCounts {
        var counts = GrantCounts()
        var last: UserID?
        while true {
            let page = try await states(after: last, limit: UserStateSlices.atomicSize)
            for state in page { counts.add(1, having: state.grant, hasEnded: state.grant.hasEnded(at: time)) }
            guard page.count == UserStateSlices.atomicSize else { return counts }
            last = page.last?.id
            await Task.yield()
        }
    }
}

/// The fault of a store that says that a grant has to be waited for, and then not how.
private struct GrantNotAtHandError: Error {}

/// A memory of answers to requests that may be sent again: each is kept for ``RepeatableRequest/lifetime``.
///
/// A store bounds their number; beyond it the oldest are forgotten first.
package protocol KeptAnswerStore: Sendable {
    /// Reads the answer that is kept under the key of a request, by its caller, method and path; `nil` for none.
    ///
    /// Whether it answers the same request, its digest tells.
    func answer(to request: RepeatableRequest) async throws -> KeptAnswer?

    /// Keeps an answer; when this returns, it survives a loss of power.
    ///
    /// - Returns: the answer that is kept under the key: an earlier one stays.
    func keep(_ answer: KeptAnswer, to request: RepeatableRequest) async throws -> KeptAnswer
}
