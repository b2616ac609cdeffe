import DeepLinkStorage
import Foundation
import Synchronization

/// The connection of one thread, opened when first needed, and reopened after a loss.
final class DatabaseSession {
    /// The time limit of one attempt to connect.
    private static let connecting = Duration.seconds(2)

    /// The time after a failed attempt before the next one.
    ///
    /// Calls fail immediately meanwhile.
    static let pause = Duration.milliseconds(100)

    private let location: PostgresLocation
    private let health: DatabaseHealth

    /// The closure to call between two waits, with the error for calls past their deadline.
    private let breathe: (PostgresError) -> Void
    private var connection: PostgresConnection?
    private var attemptCount = 0
    private var lastFailure: (error: PostgresError, until: MonotonicInstant)?

    /// Creates a session that isn't connected yet.
    init(_ location: PostgresLocation, health: DatabaseHealth, breathe: @escaping (PostgresError) -> Void) {
        self.location = location
        self.health = health
        self.breathe = breathe
    }

    /// Runs a closure with the connection, whose deadline is set.
    ///
    /// If the connection breaks, it is discarded.
    func with<Result>(
        until deadline: MonotonicInstant,
        _ body: (PostgresConnection) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        let connection = try connect(until: deadline)
        connection.deadline = deadline
        do throws(PostgresError) {
            let result = try body(connection)
            health.noteSuccess()
            return result
        } catch {
            if error.isLoss {
                drop()
                health.note(error)
            }
            throw error
        }
    }

    /// Runs the statements of a transaction, which is rolled back after an error.
    func transaction<Result>(
        until deadline: MonotonicInstant,
        _ body: (PostgresConnection) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        try with(until: deadline) { connection throws(PostgresError) in
            try connection.rollingBack { () throws(PostgresError) in try body(connection) }
        }
    }

    /// Runs a read-only closure, and runs it again if the connection was found broken.
    func reading<Result>(
        until deadline: MonotonicInstant,
        _ body: (PostgresConnection) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        let hadConnection = connection != nil
        do throws(PostgresError) {
            return try with(until: deadline, body)
        } catch {
            guard hadConnection && error.isLoss && !error.isLate || error.isPassing, MonotonicInstant.now < deadline
            else {
                throw error
            }
            return try with(until: deadline, body)
        }
    }

    /// Waits for a short time.
    ///
    /// Other calls still meet their deadlines.
    func rest(for duration: Duration) {
        usleep(UInt32(duration.components.attoseconds / 1_000_000_000_000))
        breathe(lateness)
    }

    /// The error for calls past their deadline: the reason why the server refused the connection, or otherwise
    /// ``PostgresError/late``.
    var lateness: PostgresError { lastFailure?.error ?? .late }

    /// Closes the connection.
    func drop() { connection = nil }

    private func connect(until deadline: MonotonicInstant) throws(PostgresError) -> PostgresConnection {
        if let connection { return connection }
        let now = MonotonicInstant.now
        if let lastFailure, now < lastFailure.until { throw lastFailure.error }
        do throws(PostgresError) {
            let connection = try PostgresConnection(
                location,
                attempt: attemptCount,
                until: min(deadline, now.advanced(by: Self.connecting)),
                breathe: { [unowned self] in breathe(lateness) }
            )
            self.connection = connection
            lastFailure = nil
            return connection
        } catch {
            attemptCount += 1
            // An attempt that timed out says less than one that the server refused.
            let reason = error.isLate ? lateness : error
            lastFailure = (reason, MonotonicInstant.now.advanced(by: Self.pause))
            health.note(reason)
            throw reason
        }
    }
}

/// The state of the database, judged by the outcome of the last call.
final class DatabaseHealth: Sendable {
    private let failure = Mutex<PostgresError?>(nil)
    private let isFailing = Atomic(false)

    /// Whether the last call failed.
    var isAway: Bool { isFailing.load(ordering: .acquiring) }

    /// The error of the last call, or `nil` if it succeeded.
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
