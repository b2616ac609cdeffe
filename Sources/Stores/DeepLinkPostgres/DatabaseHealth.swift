import Synchronization

/// The state of the database, by the outcome of the last call.
final class DatabaseHealth: Sendable {
    private let failure = Mutex<PostgresError?>(nil)
    private let isFailing = Atomic(false)

    /// Whether the last call failed.
    var isAway: Bool { isFailing.load(ordering: .acquiring) }

    /// The error of the last call; `nil` if it succeeded.
    var lastFailure: PostgresError? { isAway ? failure.withLock(\.self) : nil }

    /// Records that a call succeeded.
    func noteSuccess() {
        if isAway { isFailing.store(false, ordering: .releasing) }
    }

    /// Records that a call failed.
    func note(_ error: PostgresError) {
        failure.withLock { $0 = error }
        isFailing.store(true, ordering: .releasing)
    }
}
