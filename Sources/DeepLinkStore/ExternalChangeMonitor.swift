import DeepLinkCore
import DeepLinkStoring
import GRDB
import Synchronization

/// The search for users whom other processes have changed.
///
/// Works on the connection that writes, whose `data_version` moves with every commit but its own
/// (sqlite.org/pragma.html#pragma_data_version). Since a transaction of our own begins by polling, and no other
/// process can write while it lasts, the rows of the history that stand between two polls are the others'. Where there
/// are none, somebody has changed something else, or rows by hand: then anything may have changed.
final class ExternalChangeMonitor: Sendable {
    private struct Position {
        /// The `data_version` at the last poll.
        var dataVersion: Int?

        /// The last row of the history that is known.
        var sequence: Int64 = 0

        /// The number of users who were erased, of whom the history has no row; `nil` where it is damaged.
        var erasures: Int64?
    }

    /// The end of the history in a transaction of our own that is not committed yet.
    struct OwnEnd {
        fileprivate let monitor: ExternalChangeMonitor
        fileprivate let sequence: Int64

        /// Takes what was changed for known, once it is on disk.
        func committed() { monitor.position.withLock { $0.sequence = sequence } }
    }

    /// The most rows that are read at once.
    private static let pageSize = 10_000

    private let position = Mutex(Position())
    private let observer: (any ExternalChangeObserver)?

    /// Creates a monitor that tells an observer, on the queue of the connection.
    init(observer: (any ExternalChangeObserver)?) {
        self.observer = observer
    }

    /// Takes what is in the file now as known.
    func start(_ database: Database) throws {
        let moment = Moment.now
        try database.inTransaction(.deferred) {
            let now = Position(
                dataVersion: try Self.dataVersion(database),
                sequence: try Self.sequence(database),
                erasures: try Self.erasures(database)
            )
            position.withLock { $0 = now }
            return .commit
        }
        observer?.confirm(asOf: moment)
    }

    /// Searches for changes of others, and tells the observer of them; inside a transaction, or in one of its own.
    func poll(_ database: Database) throws {
        let moment = Moment.now
        if database.isInsideTransaction {
            try findChanges(database)
        } else {
            try database.inTransaction(.deferred) {
                try findChanges(database)
                return .commit
            }
        }
        observer?.confirm(asOf: moment)
    }

    private func findChanges(_ database: Database) throws {
        var known = position.withLock(\.self)
        let version = try Self.dataVersion(database)
        guard version != known.dataVersion else { return }
        let last = try Self.sequence(database)
        let erasures = try Self.erasures(database)
        if last <= known.sequence || erasures != known.erasures {
            // Our own erasures count, too; then nothing is lost but what is remembered.
            known.erasures = erasures
            known.sequence = last
            observer?.note(.everything)
        }
        while known.sequence < last {
            // By rows, not by numbers: a damaged number may be any.
            let page = try UserHistoryRecord.users(after: known.sequence, limit: Self.pageSize, database)
            guard let page, let end = page.last, end > known.sequence else {
                observer?.note(.everything)
                known.sequence = last
                break
            }
            observer?.note(.users(Array(page.users)))
            known.sequence = end
        }
        known.dataVersion = version
        position.withLock { $0 = known }
    }

    /// Reads where the history ends in a transaction of our own, to be called before its commit.
    func ownEnd(_ database: Database) throws -> OwnEnd {
        OwnEnd(monitor: self, sequence: try Self.sequence(database))
    }

    private static func dataVersion(_ database: Database) throws -> Int? {
        try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
    }

    private static func erasures(_ database: Database) throws -> Int64? {
        do { return try StoredNumber.erasures.value(database) } catch is DamagedRowError { return nil }
    }

    private static func sequence(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT coalesce(max(sequence), 0) FROM user_history")
        return try Int64.fetchOne(statement) ?? 0
    }
}
