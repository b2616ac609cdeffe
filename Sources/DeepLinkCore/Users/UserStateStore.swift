/// A keeper of user states: the port through which the HTTP layer and the commands reach whatever stores them.
///
/// What is at hand of a user's grant is read at once, so that resolving a link costs no hop between threads; all else may
/// wait for a database, and never waits for a write. Every
/// implementation passes the same conformance suite, `UserStateStoreConformance` in the tests. Errors other than
/// ``UserStateWriteError`` mean that the store is broken or out of reach.
public protocol UserStateStore: KeptAnswerStore {
    /// Reads one user's state; `nil` for a user never set, or deleted.
    func state(of id: UserID) async throws -> UserState?

    /// Reads what decides a user's level, possibly from memory; `nil` for a user never set, or deleted.
    ///
    /// It is what the last acknowledged write said, or a later one. A change that another process has made may take a
    /// second to be seen.
    func grant(of id: UserID) async throws -> LevelGrant?

    /// Reads the same, as far as that waits for nothing.
    ///
    /// - Parameters:
    ///   - id: the user.
    ///   - version: the version that the user must have come to; 0 for any.
    /// - Returns: `nil` where it has to be waited for.
    /// - Throws: an error of a store that is broken.
    func grantAtHand(of id: UserID, atLeast version: Int) throws -> GrantFinding?

    /// Reads the same where it was not at hand, and tells it, once, now or later and on whatever thread; nobody need wait.
    func readGrant(
        of id: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<GrantFinding, any Error>) -> Void
    )

    /// Whether the database is out of reach, and grants are told that may have been replaced (``GrantFinding/stale(_:)``).
    var tellsStaleGrants: Bool { get }

    /// Reads up to `limit` states in the order of the ids' bytes, beginning after an id.
    func states(after id: UserID?, limit: Int) async throws -> [UserState]

    /// Counts the users that are stored, by the level that counts at a moment.
    ///
    /// Exact for users who do not change meanwhile; no other work is held up for more than 100 ms.
    func levelCounts(at time: Timestamp) async throws -> LevelCounts

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
    /// ``UserStateSlices/atomicSize`` that belong together: where the store fails, none of them is made.
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
}

extension UserStateStore {
    /// Reads what decides a user's level, and waits for it where it is not at hand.
    public func findGrant(of id: UserID, atLeast version: Int) async throws -> GrantFinding {
        if let finding = try grantAtHand(of: id, atLeast: version) { return finding }
        return try await withCheckedThrowingContinuation { continuation in
            readGrant(of: id, atLeast: version) { continuation.resume(with: $0) }
        }
    }

    /// Whether grants are told that may have been replaced; never, by a store that is always within reach.
    public var tellsStaleGrants: Bool { false }

    /// Tells a grant that is always at hand.
    public func readGrant(
        of id: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<GrantFinding, any Error>) -> Void
    ) {
        tell(
            Result {
                guard let finding = try grantAtHand(of: id, atLeast: version) else { throw GrantNotAtHandError() }
                return finding
            }
        )
    }
}

/// The fault of a store that says that a grant has to be waited for, and then not how.
private struct GrantNotAtHandError: Error {}
