import DeepLinkCore
import DeepLinkStoring
import Foundation

/// One transaction of changes: two trips to the server, a third where histories are long.
struct WriteTransaction {
    /// The time that a transaction may stand still on the server, and that it waits for the lock of another, in
    /// milliseconds: a replica that is frozen, or cut off, keeps nobody from writing for longer.
    private static let patience = 3000

    /// A mark in the database that is there if, and only if, the transaction was committed.
    let mark = UUID()

    let changes: [Change]
    let limits: UserHistoryLimits
    let secrets: Secrets

    /// Whether the server has PostgreSQL's functions of snapshots.
    let hasSnapshots: Bool

    /// What the transaction has made, before it is committed.
    struct Prepared {
        let ledger: WriteLedger
        let outcomes: [ChangeOutcome]
        let transaction: Int64
        let statements: [Statement]
    }

    /// Reads, locks, and makes the changes in memory.
    func prepare(_ connection: PostgresConnection, until deadline: Moment) throws(PostgresError) -> Prepared {
        let readings = WriteLedger.readings(for: changes, secrets)
        let beginning = [Statement("BEGIN"), setting, Self.marking(mark)]
        let results = try connection.run(beginning + readings.map(\.statement), until: deadline)
        let transaction = try results[1].number(0, 0)
        guard results[2].tag.utf8.elementsEqual("INSERT 0 1".utf8) else { throw .unexpected("a mark that is there") }
        var ledger = WriteLedger(limits: limits)
        for (reading, rows) in zip(readings, results.dropFirst(beginning.count)) { try reading.take(&ledger, rows) }
        let outcomes = changes.map { ledger.apply($0) }
        var statements = ledger.statements(in: transaction, secrets)
        if let question = ledger.pruningQuestion {
            let beginnings = try connection.run(question, until: deadline)
            if let pruning = try ledger.pruning(beginnings) { statements.append(pruning) }
        }
        return Prepared(ledger: ledger, outcomes: outcomes, transaction: transaction, statements: statements)
    }

    /// Writes and commits.
    func commit(_ prepared: Prepared, _ connection: PostgresConnection, until deadline: Moment) throws(PostgresError) {
        let results = try connection.run(prepared.statements + [Statement("COMMIT")], until: deadline)
        guard let end = results.last, end.tag.utf8.elementsEqual("COMMIT".utf8) else {
            throw .unexpected("an end that is no COMMIT")
        }
    }

    /// Finds out whether the transaction was committed, and makes sure that it stays so.
    ///
    /// A fence is put up under the same mark. That waits for a transaction that is still under way, and fails where it was
    /// committed; where it was not, it now never can be. A further mark is committed behind it: with a synchronous standby,
    /// both are there.
    func wasCommitted(_ connection: PostgresConnection, until deadline: Moment) throws(PostgresError) -> Bool {
        let results = try connection.run(
            [
                Statement("BEGIN"), setting, Self.marking(mark, isFence: true), Self.marking(UUID(), isFence: true),
                Statement("SELECT is_fence::integer FROM commit_mark WHERE id = $1::uuid", .text(mark.uuidString)),
                Statement("COMMIT"),
            ],
            until: deadline
        )
        guard results[5].tag.utf8.elementsEqual("COMMIT".utf8) else { throw .unexpected("an end that is no COMMIT") }
        return try results[4].number(0, 0) == 0
    }

    /// The statement that numbers the transaction, and makes sure that its commit is as good as on disk: what is stronger
    /// stays (postgresql.org/docs/15/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
    private var setting: Statement {
        Statement(
            """
            SELECT \(hasSnapshots ? "pg_current_xact_id()::text" : "'0'"),
                CASE WHEN current_setting('synchronous_commit') IN ('on', 'remote_apply') THEN 'kept'
                    ELSE set_config('synchronous_commit', 'on', true) END,
                set_config('idle_in_transaction_session_timeout', '\(Self.patience)', true),
                set_config('lock_timeout', '\(Self.patience)', true)
            """
        )
    }

    private static func marking(_ mark: UUID, isFence: Bool = false) -> Statement {
        Statement(
            """
            INSERT INTO commit_mark (id, at, is_fence) VALUES ($1::uuid, $2::bigint, \(isFence))
            ON CONFLICT (id) DO NOTHING
            """,
            .text(mark.uuidString),
            .number(Int64(Date().timeIntervalSince1970 * 1000))
        )
    }
}
