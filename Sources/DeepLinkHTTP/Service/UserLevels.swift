import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The levels of the users in a store, which are read and never changed; errors of the store become problems.
struct UserLevels: Sendable {
    private let store: any UserStateStore

    init(in store: any UserStateStore) {
        self.store = store
    }

    /// Whether levels may be out of date, because the database is unreachable.
    var mayBeStale: Bool { store.tellsStaleGrants }

    /// Returns the grant of a user who has come to a version, without waiting; `nil` if it has to be awaited.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func grantAtHand(of user: UserID, atLeast version: Int) throws(Problem) -> GrantLookup? {
        do {
            return try store.grantAtHand(of: user, atLeast: version)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Returns the grant of a user who has come to a version, and waits for it.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func findGrant(of user: UserID, atLeast version: Int) async throws(Problem) -> GrantLookup {
        do {
            return try await store.findGrant(of: user, atLeast: version)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Reads a grant that was not at hand, and calls back with it once, on any thread.
    func readGrant(
        of user: UserID,
        atLeast version: Int,
        _ tell: @escaping @Sendable (Result<GrantLookup, any Error>) -> Void
    ) {
        store.readGrant(of: user, atLeast: version, tell)
    }

    /// Counts the users by their levels at a time.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func counts(at time: Timestamp) async throws(Problem) -> LevelCounts {
        do {
            return try await store.levelCounts(at: time)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}
