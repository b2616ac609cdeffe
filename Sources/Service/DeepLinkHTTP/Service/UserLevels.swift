import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes

/// The read-only levels of the users in a store.
///
/// Errors of the store become problems.
struct UserLevels: Sendable {
    private let store: any UserStateStore

    init(in store: any UserStateStore) {
        self.store = store
    }

    /// Whether levels may be out of date, because the database is unreachable.
    var mayBeStale: Bool { store.tellsStaleAccess }

    /// Returns the level and the grants of a user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - version: The version that the user must have come to, or 0 for any.
    /// - Returns: The lookup.
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func access(of user: UserID, atLeast version: Int) throws(Problem) -> Answer<AccessLookupResult> {
        do {
            let answer = try store.access(of: user, atLeast: version)
            if case .ready = answer { return answer }
            return answer.recovering { throw Problem.userStateUnavailable($0) }
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Counts the users by their grants at a time.
    ///
    /// - Throws: `Problem` with the code `user-state-unavailable`, for every error of the store.
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
    /// The level and the grants in effect.
    let permissions: Permissions

    /// The source of the level, or `nil` without an end user's token, unless the app asserts the level.
    let source: LevelSource?

    /// Whether level and grants may be out of date, because the database is unreachable.
    let isStale: Bool

    /// Creates the level and the grants of a user, joined with the permissions that the app asserts.
    ///
    /// An asserted level applies only if it is higher than the user's own.
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

    /// The fields of a response from a level that may be out of date.
    static let staleFields: HTTPFields = {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Warning") { fields[name] = "110 waymark \"Response is Stale\"" }
        return fields
    }()
}

extension Answer {
    /// Returns the value, once it is there.
    ///
    /// - Throws: `Problem`, as ``Problem/ofWait(_:)`` says.
    func get() async throws(Problem) -> Value {
        do { return try await value } catch { throw .ofWait(error) }
    }
}

extension Problem {
    /// Returns the problem of a wait that failed.
    ///
    /// Every error but a problem is one of a store.
    static func ofWait(_ error: any Error) -> Problem { error as? Problem ?? .userStateUnavailable(error) }
}
