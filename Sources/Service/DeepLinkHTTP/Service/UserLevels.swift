import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes

/// The levels of the users in a store, which are read and never changed; errors of the store become problems.
struct UserLevels: Sendable {
    private let store: any UserStateStore

    init(in store: any UserStateStore) {
        self.store = store
    }

    /// Whether levels may be out of date, because the database is unreachable.
    var mayBeStale: Bool { store.tellsStaleAccess }

    /// Returns the grant of a user who has come to a version, without waiting; `nil` if it has to be awaited.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func accessAtHand(of user: UserID, atLeast version: Int) throws(Problem) -> AccessLookup? {
        do {
            return try store.accessAtHand(of: user, atLeast: version)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Returns the grant of a user who has come to a version, and waits for it.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func findAccess(of user: UserID, atLeast version: Int) async throws(Problem) -> AccessLookup {
        do {
            return try await store.findAccess(of: user, atLeast: version)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Reads a grant that was not at hand, and calls back with it once, on any thread.
    func readAccess(
        of user: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<AccessLookup, any Error>) -> Void
    ) {
        store.readAccess(of: user, atLeast: version, tell)
    }

    /// Counts the users by their grants at a time.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func counts(at time: Timestamp) async throws(Problem) -> AccessCounts {
        do {
            return try await store.accessCounts(at: time)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

/// The level and the grants in effect for a request, with the level's source and their freshness.
struct UserLevel {
    /// The level and the grants.
    let permissions: Permissions

    /// The source of the level; `nil` without an end user's token, unless the app asserts the level.
    let source: LevelSource?

    /// Whether level and grants may be out of date: the database is unreachable.
    let isStale: Bool

    /// Creates the level and the grants of a user, and adds those that the app asserts.
    ///
    /// An asserted level counts for no more than itself: it decides where it is higher than the user's own.
    init(
        _ own: Permissions,
        source: LevelSource? = nil,
        isStale: Bool = false,
        asserting assertions: Permissions = .none
    ) {
        self.isStale = isStale
        guard assertions != .none else {
            (permissions, self.source) = (own, source)
            return
        }
        permissions = own.joined(with: assertions)
        self.source = assertions.level > own.level ? .app : source
    }

    /// The fields of an answer from a level that may be out of date.
    static let staleFields: HTTPFields = {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Warning") { fields[name] = "110 waymark \"Response is Stale\"" }
        return fields
    }()
}

/// The response of an endpoint that needs a user's level.
enum LevelledResponse {
    /// The level was at hand.
    case ready(EndpointResponse)

    /// The store has to be asked for the level; the response waits for nothing else.
    case pending(PendingLevel)

    /// The store has to be asked for something else first; the response is made in a task.
    case waiting(@Sendable () async throws -> EndpointResponse)
}

/// A level that a response waits for.
struct PendingLevel {
    /// The levels that it is read from.
    let levels: UserLevels

    /// The user.
    let user: UserID

    /// The least version that the user must have; 0 for any.
    let version: Int

    /// Returns the response, given the store's finding.
    let respond: (Result<AccessLookup, any Error>) throws(Problem) -> EndpointResponse

    /// Reads the level, and calls back with the store's finding once, on any thread.
    func read(_ tell: @escaping @Sendable (Result<AccessLookup, any Error>) -> Void) {
        levels.readAccess(of: user, atLeast: version, tell)
    }

    /// Waits for the level, and returns the response.
    func awaitResponse() async throws(Problem) -> EndpointResponse {
        try respond(.success(try await levels.findAccess(of: user, atLeast: version)))
    }
}
