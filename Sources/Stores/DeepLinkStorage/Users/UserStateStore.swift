package import DeepLinkCore

/// A store of user states: the interface through which the HTTP layer and the commands reach each implementation.
///
/// A user's cached access is read at once, so that resolving a link costs no hop between threads; everything else may
/// wait for a database, and never waits for a write. Every implementation passes the same conformance suite,
/// `UserStateStoreConformance` in the tests. Errors other than ``UserStateWriteError`` mean that the store is broken or
/// unreachable.
package protocol UserStateStore: KeptAnswerStore {
    /// Reads one user's state; `nil` for a user never set, or deleted.
    func state(of id: UserID) async throws -> UserState?

    /// Reads a user's level and grants, possibly from memory; `nil` for a user never set, or deleted.
    ///
    /// They are those of the last acknowledged write, or of a later one. A change that another process has made may take a
    /// second to be seen.
    func access(of id: UserID) async throws -> UserAccess?

    /// Reads a user's level and grants, which are ready if they are in memory.
    ///
    /// - Parameters:
    ///   - id: The user.
    ///   - version: The version that the user must have come to, or 0 for any.
    /// - Returns: The lookup.
    /// - Throws: The error of a store that is broken.
    func access(of id: UserID, atLeast version: Int) throws -> Answer<AccessLookup>

    /// Whether the database is unreachable, and access that may be out of date is returned
    /// (``AccessLookup/stale(_:)``).
    var tellsStaleAccess: Bool { get }

    /// Reads up to `limit` states in the order of the ids' bytes, beginning after an id.
    func states(after id: UserID?, limit: Int) async throws -> [UserState]

    /// Counts the users that are stored, by the parts of their access that decide requests at a moment.
    ///
    /// Exact for users who do not change meanwhile; no other work is held up for more than 100 ms.
    func accessCounts(at time: Timestamp) async throws -> AccessCounts

    /// Reads up to `limit` changes of one user, oldest first, deletions included, beginning after a version (0 for
    /// all); empty for a user never set.
    ///
    /// The oldest may have been dropped (``UserHistoryLimits``); the newest is always there.
    func history(of id: UserID, after version: Int, limit: Int) async throws -> [UserChange]

    /// Replaces a user's level, and if the write has grants, all grants; when this returns, the change survives a loss
    /// of power.
    ///
    /// A write of what is there already moves ``UserState/moments`` alone: neither version nor time, and the history
    /// gets no row. Level and grants are ordered each by itself (``ChangeOrder``): a part that is older than the
    /// stored one, or than the user's deletion, stays; where all parts are older, nothing changes.
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

    /// Changes one grant of a user; when this returns, the change survives a loss of power.
    ///
    /// Its moment is compared with the last write of that grant alone. Holding a grant makes a user who has no state;
    /// removing a grant that the user doesn't hold changes nothing, but with a moment of its own keeps that.
    ///
    /// - Throws: ``UserStateWriteError``, where nothing was changed.
    func save(_ write: GrantWrite) async throws -> SavedGrant

    /// Deletes a user's state, its grants included, except for the parts of a later moment than the deletion's own; the
    /// user's versions go on afterwards. A moment of its own is kept, also of a user without a state.
    ///
    /// An erasure forgets all else that is kept of the user as well: the history, answers to requests, who redeemed which
    /// continuation. A continuation that the user bound stays bound, to nobody. A digest of the id, with a key, keeps the
    /// last version and its moment.
    ///
    /// - Throws: ``UserStateWriteError``, where nothing was changed.
    func apply(_ removal: UserStateRemoval) async throws -> RemovedUserState

    /// Checks that states can be read, without waiting.
    func checkUsable() throws

    /// Whether changes are refused now, as the last one has shown: the disk is full, or the file is being checked.
    var refusesWrites: Bool { get }
}

extension UserStateStore {
    /// Deletes a user's state, as ``apply(_:)`` does.
    ///
    /// - Returns: whether there was a state; for an erasure, or a history.
    /// - Throws: ``UserStateWriteError``, where nothing was changed.
    package func remove(_ removal: UserStateRemoval) async throws -> Bool { try await apply(removal).wasThere }

    /// Whether access that may be out of date is returned; never, by a store that is always reachable.
    package var tellsStaleAccess: Bool { false }

    /// Whether changes are refused; never, by a store that is always within reach.
    package var refusesWrites: Bool { false }
}

extension UserStateStore {
    /// Counts the users that are stored, by the parts of their access that decide requests at a moment.
    ///
    /// Exact for users who do not change meanwhile. A store that can count without handing every state out does so
    /// instead, and holds no other work up for more than 100 ms.
    package func accessCounts(at time: Timestamp) async throws -> AccessCounts {
        var counts = AccessCounts()
        var last: UserID?
        while true {
            let page = try await states(after: last, limit: UserStateSlices.atomicSize)
            for state in page {
                counts.add(
                    1,
                    having: state.level,
                    hasEnded: state.level.hasEnded(at: time),
                    grants: state.access.grants(at: time).map(\.name)
                )
            }
            guard page.count == UserStateSlices.atomicSize else { return counts }
            last = page.last?.id
            await Task.yield()
        }
    }
}

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

/// A store's finding about a user's access.
package enum AccessLookup: Hashable, Sendable {
    /// The access that counts; `nil` within for a user without a state.
    case current(UserAccess?)

    /// Access that counted once, and may have been replaced: the database is out of reach.
    case stale(UserAccess?)

    /// The user has not come to the version that was asked for; the version there is, 0 for a user never set.
    case behind(version: Int)

    /// Finds out whether a version is reached.
    ///
    /// - Parameters:
    ///   - access: the level and the grants in the store now.
    ///   - version: the user's version, a deletion's also; 0 for a user never set.
    ///   - wanted: the requested version; 0 for any.
    package init(_ access: UserAccess?, version: Int, wanted: Int) {
        self = version >= wanted ? .current(access) : .behind(version: version)
    }
}

/// The slices in which many states are written, so that other changes need not wait for all of them.
package enum UserStateSlices {
    /// The most writes of one slice: with SQLite some 5 ms.
    package static let size = 100

    /// The most writes that are all made or none, also if the store fails: with SQLite some 50 ms.
    package static let atomicSize = 1000

    /// The most writes of one slice of an import that no server waits for: with SQLite half a second.
    ///
    /// One commit writes each page of an index once, however many of the codes on it, which are random, are new.
    package static let importSize = 20_000

    /// Returns the size of the slices of so many writes that belong together.
    package static func size(of count: Int) -> Int { count <= atomicSize ? max(count, 1) : size }
}

/// The reason why a store left a state as it was, although nothing is broken.
package enum UserStateWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold; the version that is stored, `nil` for no state.
    case versionMismatch(current: Int?)

    /// The state, or its deletion, is as of a later time than the change; carries the state that remains, `nil` for
    /// none.
    case superseded(by: UserState?)

    /// The request was answered before, under the same key.
    case answered(KeptAnswer)
}

/// The error of a change whose outcome is unknown: the database was lost while it was being committed, and has not come
/// back in time.
///
/// The stored state must be read before the change is sent again.
package struct WriteOutcomeUnknownError: Error, CustomStringConvertible {
    /// The description of the database failure.
    package let description: String

    /// Creates a report.
    package init(_ description: String) {
        self.description = description
    }
}
