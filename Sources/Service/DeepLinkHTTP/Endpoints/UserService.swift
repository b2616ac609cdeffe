package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage
import Synchronization

/// The user states, for the endpoints that read and change them.
package final class UserService: Sendable {
    /// The user states, with the stored responses of their requests.
    let store: any UserStateStore

    /// The log for failures of the store in the middle of a response.
    let failures: FailureLog

    /// The audit log of changes.
    let audit: AuditTrail

    /// The requests with a key that are in progress.
    let inProgress = RequestsInProgress()

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates the service for a store.
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
    /// - Throws: `Problem` with the code `user-state-unavailable`, for every error of the store.
    func reading<Result>(_ body: (any UserStateStore) async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

/// The requests with a key that this server is processing, each once.
final class RequestsInProgress: Sendable {
    private let names = Mutex<Set<[ByteText]>>([])

    /// Begins to process a request.
    ///
    /// ``end(_:)`` must follow.
    ///
    /// - Returns: `false` if the request is already in progress.
    func begin(_ request: RepeatableRequest) -> Bool {
        names.withLock { $0.insert(request.name).inserted }
    }

    /// Ends the processing of a request.
    func end(_ request: RepeatableRequest) {
        names.withLock { _ = $0.remove(request.name) }
    }
}
