/// A keeper of user states: the port through which the HTTP layer and the commands reach whatever stores them.
///
/// Reads are synchronous and wait for no write, so that resolving a link costs no hop between threads. Every
/// implementation passes the same conformance suite, `UserStateStoreConformance` in the tests. Errors other than
/// ``UserStateWriteError`` mean that the store is broken or out of reach.
public protocol UserStateStore: Sendable {
    /// Reads one user's state; `nil` for a user never set, or deleted.
    func state(of id: UserID) throws -> UserState?

    /// Reads what decides a user's level, possibly from memory; `nil` for a user never set, or deleted.
    ///
    /// It is what the last acknowledged write said, or a later one. A change that another process has made may take a
    /// second to be seen.
    func grant(of id: UserID) throws -> LevelGrant?

    /// Reads up to `limit` states in the order of the ids' bytes, beginning after an id.
    func states(after id: UserID?, limit: Int) throws -> [UserState]

    /// Reads up to `limit` changes of one user, oldest first, deletions included, beginning after a version (0 for
    /// all); empty for a user never set.
    ///
    /// The oldest may have been dropped (``UserHistoryLimits``); the newest is always there.
    func history(of id: UserID, after version: Int, limit: Int) throws -> [UserChange]

    /// Replaces a user's state whole; when this returns, the change survives a loss of power.
    ///
    /// A write of the grant that is there already changes nothing: neither version nor time, and the history gets no
    /// row.
    ///
    /// - Throws: ``UserStateWriteError/versionMismatch(current:)`` where the precondition does not hold; the
    func save(_ write: UserStateWrite) async throws -> SavedUserState

    /// Deletes a user's state; the user's versions go on afterwards.
    ///
    /// - Returns: whether there was a state.
    /// - Throws: ``UserStateWriteError/versionMismatch(current:)`` where the precondition does not hold.
    func remove(_ removal: UserStateRemoval) async throws -> Bool

    /// Checks that states can be read.
    func checkUsable() throws
}
