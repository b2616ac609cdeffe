package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage
import Synchronization

/// The user states, for the endpoints that read and change them.
package final class UserService: Sendable {
    /// The user states, and the answers that are kept with them.
    let store: any UserStateStore

    /// The log for failures of the store in the middle of an answer.
    let failures: FailureLog

    /// The audit log of changes.
    let audit: AuditTrail

    /// The requests with a key that are being worked on.
    let inProgress = RequestsInProgress()

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates the service of a store.
    package init(
        store: any UserStateStore,
        failures: FailureLog = FailureLog(),
        audit: AuditTrail = .none,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.failures = failures
        self.audit = audit
        self.now = now
    }

    /// Reads user states.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func reading<Result>(_ body: (any UserStateStore) async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

/// The requests with a key that this server is working on, each once.
final class RequestsInProgress: Sendable {
    private let names = Mutex<Set<[ByteText]>>([])

    /// Begins to work on a request; ``end(_:)`` must follow.
    ///
    /// - Returns: whether it was not being worked on.
    func begin(_ request: RepeatableRequest) -> Bool {
        names.withLock { $0.insert(request.name).inserted }
    }

    /// Ends the work on a request.
    func end(_ request: RepeatableRequest) {
        names.withLock { _ = $0.remove(request.name) }
    }
}
