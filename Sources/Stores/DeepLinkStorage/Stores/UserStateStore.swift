package import DeepLinkCore
package import DeepLinkFormats

/// A store of user states: the interface that the HTTP layer and the commands use for each implementation.
///
/// A user's cached access is returned immediately, so that resolving a link does not switch threads. All other calls
/// may wait for a database, but reads never wait for a write. Every implementation passes the same conformance suite,
/// `UserStateStoreConformance` in the tests. Errors other than ``UserStateWriteError`` mean that the store is broken or
/// unreachable.
package protocol UserStateStore: StoredResponseStore {
    /// Reads one user's state, or `nil` if the user was never stored, or deleted.
    func state(of id: UserID) async throws -> UserState?

    /// Reads a user's level and grants, which are ready if they are in memory.
    ///
    /// The user must have come to the version, or to any for 0. The result is from the last acknowledged write or a
    /// later one. A change made by another process may take a second to be seen.
    ///
    /// - Throws: The error of a store that is broken.
    func access(of id: UserID, atLeast version: Int) throws -> Answer<AccessLookupResult>

    /// Whether the database is unreachable, and access that may be out of date is returned
    /// (``AccessLookupResult/stale(_:)``).
    var tellsStaleAccess: Bool { get }

    /// Reads up to `limit` states in the order of the ids' bytes, starting after an id.
    func states(after id: UserID?, limit: Int) async throws -> [UserState]

    /// Counts the stored users by the parts of their access that decide requests at a time.
    ///
    /// Exact for users that do not change meanwhile. Other work is delayed by at most 100 ms.
    func accessCounts(at time: Timestamp) async throws -> AccessCounts

    /// Reads up to `limit` changes of one user, oldest first, including deletions, starting after a version (0 for
    /// all).
    ///
    /// Empty if the user was never stored. The oldest changes may have been deleted (``UserHistoryLimits``), but the
    /// newest never is.
    func history(of id: UserID, after version: Int, limit: Int) async throws -> [UserChange]

    /// Checks that states can be read, without waiting.
    func checkUsable() throws

    /// Whether changes are currently refused, judged by the last one: the disk is full, or the file is being checked.
    var refusesWrites: Bool { get }
}

extension UserStateStore {
    /// Reads a user's level and grants, possibly from memory, or `nil` if the user was never stored, or deleted.
    package func access(of id: UserID) async throws -> UserAccess? {
        switch try await access(of: id, atLeast: 0).value {
        case .current(let access), .stale(let access): access
        case .behind: nil
        }
    }

    /// Whether access that may be out of date is returned; never, by a store that is always reachable.
    package var tellsStaleAccess: Bool { false }

    /// Replaces a user's level, and all grants if the write has grants.
    ///
    /// A write of the stored values changes only ``UserState/timestamps``. Version and time stay, and the history gets
    /// no row. Level and grants are ordered independently (``ChangeOrder``): a part with an earlier effective time than
    /// the stored one, or than the user's deletion, is not written. If this applies to all parts, nothing changes.
    ///
    /// - Throws: ``UserStateWriteError``. Nothing was changed then.
    package func save(_ write: UserStateWrite) async throws -> UserStateWriteResult {
        try await make(.save([write]))[0].get()
    }

    /// Replaces several states in their order, each independently, in a single commit.
    ///
    /// Other changes wait until this is done, so pass at most ``BatchLimits/size`` writes, or
    /// ``BatchLimits/atomicSize`` writes that belong together. If the store fails, none of them is made.
    ///
    /// - Returns: The outcome of each write.
    package func saveEach(
        _ writes: [UserStateWrite]
    ) async throws -> [Result<UserStateWriteResult, UserStateWriteError>] { try await make(.save(writes)) }

    /// Changes one grant of a user.
    ///
    /// Its effective time is compared only with the last write of the same grant. Adding a grant creates a state for a
    /// user without one. Removing a grant that the user doesn't hold changes nothing, but stores the effective time if
    /// there is one.
    ///
    /// - Throws: ``UserStateWriteError``. Nothing was changed then.
    package func save(_ write: GrantWrite) async throws -> GrantWriteResult { try await make(.grant(write)).get() }

    /// Deletes a user's state with its grants, except for parts with a later effective time than the deletion.
    ///
    /// The user's versions continue afterwards. An effective time is stored, even for a user without a state.
    ///
    /// An erasure also deletes all other data of the user: the history, stored responses to requests, and the user of
    /// redeemed continuations. A continuation that the user bound stays bound, but to no user. A keyed digest of the id
    /// remains, with the last version and its effective time.
    ///
    /// - Throws: ``UserStateWriteError``. Nothing was changed then.
    package func apply(_ removal: UserStateRemoval) async throws -> UserStateRemovalResult {
        try await make(.remove(removal)).get()
    }

    /// Deletes a user's state, as ``apply(_:)`` does.
    ///
    /// - Returns: Whether a state existed, or for an erasure, a state or a history.
    /// - Throws: ``UserStateWriteError``. Nothing was changed then.
    package func remove(_ removal: UserStateRemoval) async throws -> Bool { try await apply(removal).wasThere }
}

/// A memory of answers to requests that may be sent again: each is kept for ``KeyedRequest/lifetime``.
///
/// A store limits their number. Beyond the limit, the oldest are deleted first.
package protocol StoredResponseStore: LedgerStore {
    /// Reads the response that is stored under the key of a request, by its caller, method and path, or `nil` if there
    /// is none.
    ///
    /// Compare the digest to check whether it belongs to the same request.
    func answer(to request: KeyedRequest) async throws -> StoredResponse?
}

extension StoredResponseStore {
    /// Stores a response.
    ///
    /// - Returns: The response that is stored under the key. An earlier response stays.
    package func keep(_ answer: StoredResponse, to request: KeyedRequest) async throws -> StoredResponse {
        try await make(.keep(answer, to: request))
    }
}

/// The result of looking up a user's access in a store.
package enum AccessLookupResult: Hashable, Sendable {
    /// The current access. The inner value is `nil` for a user without a state.
    case current(UserAccess?)

    /// Cached access that may have been replaced since, because the database is unreachable.
    case stale(UserAccess?)

    /// The user has not reached the requested version. The current version, or 0 if the user was never stored.
    case behind(version: Int)

    /// Creates the result, by comparing the user's version, which counts deletions, with the requested one.
    package init(_ access: UserAccess?, version: Int, wanted: Int) {
        self = version >= wanted ? .current(access) : .behind(version: version)
    }
}

/// The sizes of batches in which many states are written, so that other changes can run in between.
package enum BatchLimits {
    /// The maximum number of writes in a batch, which take some 5 ms with SQLite.
    package static let size = 100

    /// The maximum number of writes that are made all or none, even if the store fails.
    ///
    /// They take some 50 ms with SQLite.
    package static let atomicSize = 1000

    /// The maximum number of writes in a batch of an import without a server, which take half a second with SQLite.
    ///
    /// A commit writes each page of an index once, however many of its entries are new, and random codes are spread
    /// over all pages.
    package static let importSize = 20_000

    /// Returns the batch size for a number of writes that belong together.
    package static func size(of count: Int) -> Int { count <= atomicSize ? max(count, 1) : size }

    /// Lets a server write to the same storage after a batch, for half of the batch's time and at least 30 ms.
    ///
    /// A server waits for SQLite's lock in steps, none longer than 25 ms or half of the time already waited
    /// (sqlite.org/src/file/src/main.c, `sqliteDefaultBusyCallback`), so one of its attempts falls into the pause.
    package static func pause(afterBatchFrom start: ContinuousClock.Instant) async throws {
        try await Task.sleep(for: max(.milliseconds(30), (ContinuousClock.now - start) / 2))
    }
}

/// The error of a change with an unknown outcome: the database was lost during the commit, and has not come back in
/// time.
///
/// Read the stored state before sending the change again.
package struct WriteOutcomeUnknownError: Error, CustomStringConvertible {
    /// The description of the database failure.
    package let description: String

    /// Creates the error.
    package init(_ description: String) {
        self.description = description
    }
}

extension Problem {
    /// Returns the problem for a failed store.
    ///
    /// The cause goes to the log, not to the client.
    package static func userStateUnavailable(_ cause: any Error) -> Problem {
        Problem(
            .userStateUnavailable,
            detail: "User states cannot be read or written now; try again.",
            headers: [.retryAfter: "1"],
            cause: { "\(cause)" }
        )
    }

    /// Returns the problem for a failed change, or one with an unknown outcome.
    package static func failedWrite(_ cause: any Error) -> Problem {
        guard let unknown = cause as? WriteOutcomeUnknownError else { return .userStateUnavailable(cause) }
        return Problem(
            .outcomeUnknown,
            detail:
                "The database was lost while the change was being committed, and it may have been made; read what is stored "
                + "before you ask for it again.",
            headers: [.retryAfter: "1"],
            cause: { "\(unknown)" }
        )
    }
}
