import DeepLinkCore
import DeepLinkStorage
import Synchronization

/// The search for users changed by other replicas, by transaction snapshots
/// (postgresql.org/docs/15/functions-info.html#FUNCTIONS-INFO-SNAPSHOT).
///
/// Numbers of sequences and transactions are assigned at the beginning of a transaction, and visible at its end. By
/// number alone, a transaction that ends late would be missed. A search therefore reads the rows of transactions that
/// the last search's snapshot did not see, because they had not begun or were in progress.
///
/// On servers without these functions, each search clears the cache, so that levels are never older than the interval
/// between two searches.
final class ChangeFeed: Sendable {
    /// A snapshot, and the server that it belongs to.
    struct Position {
        /// The start time of the server.
        ///
        /// Transaction numbers have another meaning on another server.
        let server: String

        /// The first transaction that had not begun.
        let next: Int64

        /// The transactions in progress.
        let running: [Int64]
    }

    private struct State {
        var position: Position?

        /// The number of renamings of levels, which only grows.
        var renameCount: Int64?

        /// The transactions of this store.
        ///
        /// Their changes are known.
        var own: Set<Int64> = []
    }

    /// The maximum number of rows that a search reads.
    ///
    /// If there are more, anything may have changed.
    private static let maximumRowCount = 10_000

    let hasSnapshots: Bool
    private let observer: (any ExternalChangeObserver)?
    private let state = Mutex(State())

    /// Creates a feed that reports to an observer.
    init(hasSnapshots: Bool, observer: (any ExternalChangeObserver)?) {
        self.hasSnapshots = hasSnapshots
        self.observer = observer
    }

    /// The number of renamings of levels in the database as of the last search, or `nil` before the first search and if
    /// they aren't searched for.
    var renameCount: Int64? { state.withLock(\.renameCount) }

    /// Records a committed transaction of this store.
    func noteOwn(_ transaction: Int64) {
        guard observer != nil, hasSnapshots else { return }
        _ = state.withLock { $0.own.insert(transaction) }
    }

    /// Searches for external changes and reports them to the observer.
    func look(_ connection: PostgresConnection) throws(PostgresError) {
        let instant = MonotonicInstant.now
        guard hasSnapshots else {
            try connection.run("SELECT version FROM waymark_schema WHERE number = 1")
            observer?.note(.everything)
            observer?.confirm(asOf: instant)
            return
        }
        let last = state.withLock(\.position)
        let rows = try connection.run(Self.question(last))
        let (position, renameCount, changes) = try Self.answer(rows)
        state.withLock { $0.renameCount = renameCount }
        notify(changes, last: last, now: position, rowCount: rows.count)
        observer?.confirm(asOf: instant)
    }

    /// Returns whether a server has the snapshot functions.
    static func hasSnapshots(_ connection: PostgresConnection) throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            try connection.run("SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text")
            return true
        } catch {
            // The function is missing or not supported.
            if error.isRefusal("42883") || error.isRefusal("0A000") { return false }
            throw error
        }
    }

    private static func question(_ last: Position?) -> Statement {
        let now = """
            SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text,
                (SELECT count(*) FROM level_rename), NULL::text
            """
        guard let last else { return Statement(now) }
        let parts = ["user_history", "erased_user"]
            .flatMap { table in
                let user = table.utf8.elementsEqual("user_history".utf8) ? "user_id" : "NULL::text"
                return ["transaction_id >= $1::bigint", "transaction_id = ANY($2::bigint[])"]
                    .map { condition in
                        """
                        (SELECT NULL::text, NULL::text, transaction_id, \(user) FROM \(table)
                        WHERE \(condition) ORDER BY transaction_id LIMIT \(maximumRowCount))
                        """
                    }
            }
        return Statement(
            ([now] + parts).joined(separator: " UNION ALL "),
            .number(last.next),
            .numbers(last.running)
        )
    }

    /// Reads the snapshot, the number of renamings and the changes of a result.
    ///
    /// An erasure has a `nil` user.
    private static func answer(_ rows: ResultRows) throws(PostgresError) -> (
        Position, renameCount: Int64, [(transaction: Int64, user: UserID?)]
    ) {
        var position: Position?
        var renameCount: Int64 = 0
        var changes: [(Int64, UserID?)] = []
        for row in rows {
            if let text = try row.optionalText(0) {
                position = try self.position(text, server: row.text(1))
                renameCount = try row.number(2)
            } else {
                let id = try row.optionalText(3) == nil ? nil : row.user(3)
                changes.append((try row.number(2), id))
            }
        }
        guard let position else { throw .unexpected("no snapshot") }
        return (position, renameCount, changes)
    }

    /// Parses a snapshot, such as `10:20:10,14`.
    private static func position(_ text: String, server: String) throws(PostgresError) -> Position {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let next = DecimalText.parseInt(parts[1]) else { throw .unexpected("a snapshot") }
        let running = parts[2].split(separator: UInt8(ascii: ",")).compactMap { DecimalText.parseInt($0) }
        return Position(server: server, next: Int64(next), running: running.map(Int64.init))
    }

    private func notify(
        _ changes: [(transaction: Int64, user: UserID?)],
        last: Position?,
        now: Position,
        rowCount: Int
    ) {
        let own = state.withLock { state in
            state.position = now
            defer {
                // Transactions in the snapshot won't be returned again.
                state.own = state.own.filter { $0 >= now.next || now.running.contains($0) }
            }
            return state.own
        }
        guard let last else { return }
        let others = changes.filter { !own.contains($0.transaction) }
        let isWhole = last.server.bytewise == now.server.bytewise && rowCount < Self.maximumRowCount
        guard isWhole, others.allSatisfy({ $0.user != nil }) else {
            observer?.note(.everything)
            return
        }
        if !others.isEmpty { observer?.note(.users(Array(Set(others.compactMap(\.user))))) }
    }
}
