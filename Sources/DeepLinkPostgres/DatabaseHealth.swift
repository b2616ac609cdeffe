import Synchronization

/// The standing of the database, as the last call has found it.
final class DatabaseHealth: Sendable {
    private let failure = Mutex<PostgresError?>(nil)
    private let isFailing = Atomic(false)

    /// Whether the last call has not come through.
    var isAway: Bool { isFailing.load(ordering: .acquiring) }

    /// Why the last call has not come through; `nil` where it has.
    var lastFailure: PostgresError? { isAway ? failure.withLock(\.self) : nil }

    /// Takes note that a call has come through.
    func noteSuccess() {
        if isAway { isFailing.store(false, ordering: .releasing) }
    }

    /// Takes note that a call has not come through.
    func note(_ error: PostgresError) {
        failure.withLock { $0 = error }
        isFailing.store(true, ordering: .releasing)
    }
}
