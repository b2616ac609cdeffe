import DeepLinkCore
import GRDB
import Synchronization

/// A look-out for users whom other processes have changed.
///
/// Works on the connection that writes, whose `data_version` moves with every commit but its own
/// (sqlite.org/pragma.html#pragma_data_version). Since a transaction of our own begins by looking, and no other
/// process can write while it lasts, the rows of the history that stand between two looks are the others'. Where there
/// are none, somebody has changed something else, or rows by hand: then anything may have changed.
final class ForeignChangeTracker: Sendable {
    private struct Position {
        /// What `data_version` was at the last look.
        var dataVersion: Int?

        /// The last row of the history that is known.
        var sequence: Int64 = 0
    }

    /// The most rows that are read at once.
    private static let pageSize = 10_000

    private let position = Mutex(Position())
    private let levels: UserLevelCache?
    private let observer = Mutex<(@Sendable (ForeignChange) -> Void)?>(nil)

    /// Creates a tracker that keeps a cache in step with the others' changes.
    init(levels: UserLevelCache? = nil) {
        self.levels = levels
    }

    /// Sets who is told; it runs on the connection's queue, so it must be short and must not call the store.
    func observe(_ body: @Sendable @escaping (ForeignChange) -> Void) {
        observer.withLock { $0 = body }
    }

    /// Takes what is in the file now as known.
    func start(_ database: Database) throws {
        let moment = UserLevelCache.Moment.now
        try database.inTransaction(.deferred) {
            let now = Position(dataVersion: try Self.dataVersion(database), sequence: try Self.sequence(database))
            position.withLock { $0 = now }
            return .commit
        }
        levels?.confirm(asOf: moment)
    }

    /// Looks for changes of others, and tells the observer of them; inside a transaction, or in one of its own.
    func look(_ database: Database) throws {
        let moment = UserLevelCache.Moment.now
        if database.isInsideTransaction {
            try findChanges(database)
        } else {
            try database.inTransaction(.deferred) {
                try findChanges(database)
                return .commit
            }
        }
        levels?.confirm(asOf: moment)
    }

    private func findChanges(_ database: Database) throws {
        var known = position.withLock(\.self)
        let version = try Self.dataVersion(database)
        guard version != known.dataVersion else { return }
        let last = try Self.sequence(database)
        if last <= known.sequence {
            known.sequence = last
            tell(.everything)
        }
        while known.sequence < last {
            // By rows, not by numbers: a damaged number may be any.
            let page = try UserHistoryRecord.users(after: known.sequence, limit: Self.pageSize, database)
            guard let page, let end = page.last, end > known.sequence else {
                tell(.everything)
                known.sequence = last
                break
            }
            tell(.users(Array(page.users)))
            known.sequence = end
        }
        known.dataVersion = version
        position.withLock { $0 = known }
    }

    /// Notes where the history ends in a transaction of our own, to be called before its commit.
    ///
    /// - Returns: what to call once it is committed.
    func end(_ database: Database) throws -> () -> Void {
        let sequence = try Self.sequence(database)
        return { self.position.withLock { $0.sequence = sequence } }
    }

    private func tell(_ change: ForeignChange) {
        levels?.forget(change)
        observer.withLock(\.self)?(change)
    }

    private static func dataVersion(_ database: Database) throws -> Int? {
        try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
    }

    private static func sequence(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT coalesce(max(sequence), 0) FROM user_history")
        return try Int64.fetchOne(statement) ?? 0
    }
}
