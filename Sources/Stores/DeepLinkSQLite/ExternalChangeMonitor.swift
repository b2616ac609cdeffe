import DeepLinkCore
import DeepLinkStorage
import GRDB
import Synchronization

/// The search for users changed by other processes.
///
/// It uses the writing connection, whose `data_version` changes with every commit except its own
/// (sqlite.org/pragma.html#pragma_data_version). Each transaction of this process begins by polling, and no other
/// process can write during it. The history rows between two polls were therefore added by other processes.
///
/// If there are none, and no short links of other processes either, which do not concern users, something else was
/// changed, or rows were changed manually. Then anything may have changed.
final class ExternalChangeMonitor: Sendable {
    private struct Position {
        /// The `data_version` at the last poll.
        var dataVersion: Int?

        /// The last known row of the history.
        var sequence: Int64 = 0

        /// The number of erased users, which lack a history row, or `nil` if it is damaged.
        var erasures: Int64?

        /// The last known changes of short links.
        var links = LinkPosition()
    }

    /// The number of the last new short link, and of changes to stored ones, or `nil` if it is damaged.
    private struct LinkPosition: Equatable {
        var made: Int64 = 0
        var changed: Int64? = 0

        /// Whether short links were made or changed since another position.
        func isAfter(_ other: LinkPosition) -> Bool {
            guard let changed, let before = other.changed else { return false }
            return made >= other.made && changed >= before && self != other
        }
    }

    /// The maximum number of rows to read at a time.
    private static let pageSize = 10_000

    private let position = Mutex(Position())
    private let observer: (any ExternalChangeObserver)?

    /// Creates a monitor that reports to an observer, on the queue of the connection.
    init(observer: (any ExternalChangeObserver)?) {
        self.observer = observer
    }

    /// Records the current contents of the file as known.
    func start(_ database: Database) throws {
        let instant = MonotonicInstant.now
        try database.inTransaction(.deferred) {
            let now = Position(
                dataVersion: try Self.dataVersion(database),
                sequence: try Self.sequence(database),
                erasures: try Self.erasures(database),
                links: try Self.links(database)
            )
            position.withLock { $0 = now }
            return .commit
        }
        observer?.confirm(asOf: instant)
    }

    /// Searches for external changes and reports them to the observer, in the current transaction or in its own.
    func poll(_ database: Database) throws {
        let instant = MonotonicInstant.now
        if database.isInsideTransaction {
            try findChanges(database)
        } else {
            try database.inTransaction(.deferred) {
                try findChanges(database)
                return .commit
            }
        }
        observer?.confirm(asOf: instant)
    }

    private func findChanges(_ database: Database) throws {
        var known = position.withLock(\.self)
        let version = try Self.dataVersion(database)
        guard version != known.dataVersion else { return }
        let last = try Self.sequence(database)
        let erasures = try Self.erasures(database)
        let links = try Self.links(database)
        let isExplained = last > known.sequence || last == known.sequence && links.isAfter(known.links)
        known.links = links
        if !isExplained || erasures != known.erasures {
            // Erasures of this process count too. The only cost is lost cache entries.
            known.erasures = erasures
            known.sequence = last
            observer?.note(.everything)
        }
        while known.sequence < last {
            // By rows, not by numbers: a damaged number may have any value.
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

    /// Reads the end of the history in a transaction of this process, before its commit.
    ///
    /// - Returns: The function that records the changes as known, once they are on disk.
    func ownEnd(_ database: Database) throws -> () -> Void {
        let (sequence, links) = (try Self.sequence(database), try Self.links(database))
        return { [self] in position.withLock { ($0.sequence, $0.links) = (sequence, links) } }
    }

    private static func dataVersion(_ database: Database) throws -> Int? {
        try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
    }

    private static func erasures(_ database: Database) throws -> Int64? {
        do { return try StoredNumber.erasures.value(database) } catch is DamagedRowError { return nil }
    }

    private static func links(_ database: Database) throws -> LinkPosition {
        let made = try database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'short_link'")
        var position = LinkPosition(made: try Int64.fetchOne(made) ?? 0)
        do {
            position.changed = try StoredNumber.shortLinkChanges.value(database)
        } catch is DamagedRowError {
            position.changed = nil
        }
        return position
    }

    private static func sequence(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT coalesce(max(sequence), 0) FROM user_history")
        return try Int64.fetchOne(statement) ?? 0
    }
}
