import DeepLinkCore
import DeepLinkStorage
import Foundation

/// One transaction of changes: two round trips to the server, and a third for long histories.
struct WriteTransaction {
    /// The time that a transaction may be idle on the server, in milliseconds.
    ///
    /// A replica that is frozen or cut off doesn't block writes for longer.
    private static let patience = 3000

    /// The time that a transaction waits for another's lock, in milliseconds.
    ///
    /// It is longer than the idle limit, so that the server ends an idle transaction before others give up.
    private static let lockPatience = patience + 1000

    /// A mark in the database that exists if and only if the transaction was committed.
    let mark = UUID()

    let rules: DatabaseWriter.Rules

    /// The changes, whose outcomes are functions to call once the transaction is committed.
    let changes: [StoreChange<@Sendable () -> Void>]

    /// The results of the transaction before it is committed.
    struct Prepared {
        let ledger: WriteLedger
        let outcomes: [@Sendable () -> Void]
        let transaction: Int64
        let statements: [Statement]
    }

    /// Reads and locks the rows, and applies the changes in memory.
    func prepare(_ connection: PostgresConnection) throws(PostgresError) -> Prepared {
        var readings = WriteLedger.readings(for: changes.map(\.needs), rules.secrets)
        // This follows all other reads, so that a transaction that waited for a lock has a later time than the lock's
        // former holder.
        if rules.clock == .database { readings.append(WriteLedger.clock) }
        let beginning = ["BEGIN", setting, Self.marking(mark)]
        let results = try connection.run(beginning + readings.map(\.statement))
        let transaction = try results[1][0].number(0)
        guard results[2].tag.utf8.elementsEqual("INSERT 0 1".utf8) else { throw .unexpected("a mark that is there") }
        var ledger = WriteLedger()
        for (reading, rows) in zip(readings, results.dropFirst(beginning.count)) {
            try reading.take(rows, into: &ledger)
        }
        let outcomes = changes.map { ledger.apply($0) }
        rules.order.note(ledger.irregularities)
        var statements = ledger.statements(in: transaction, rules.secrets)
        if let question = ledger.pruningQuestion(rules.limits) {
            let beginnings = try connection.run(question)
            if let pruning = try ledger.pruning(beginnings, limits: rules.limits) { statements.append(pruning) }
        }
        return Prepared(ledger: ledger, outcomes: outcomes, transaction: transaction, statements: statements)
    }

    /// Writes the changes and commits.
    func commit(_ prepared: Prepared, connection: PostgresConnection) throws(PostgresError) {
        try requireCommit(connection.run(prepared.statements + ["COMMIT"]))
    }

    /// Returns whether the transaction was committed, and makes that final.
    ///
    /// A fence is inserted under the same mark. The insertion waits for a transaction that is still in progress, and
    /// fails if it was committed. If it wasn't, it can never be committed afterwards. A further mark is committed after
    /// the fence. With a synchronous standby, both are on the standby.
    func wasCommitted(_ connection: PostgresConnection) throws(PostgresError) -> Bool {
        let results = try connection.run([
            "BEGIN", setting, Self.marking(mark, isFence: true), Self.marking(UUID(), isFence: true),
            Statement("SELECT is_fence::integer FROM commit_mark WHERE id = $1::uuid", .text(mark.uuidString)),
            "COMMIT",
        ])
        try requireCommit(results)
        return try results[4][0].number(0) == 0
    }

    private func requireCommit(_ results: [ResultRows]) throws(PostgresError) {
        guard let end = results.last, end.tag.utf8.elementsEqual("COMMIT".utf8) else {
            throw .unexpected("an end other than COMMIT")
        }
    }

    /// The statement that numbers the transaction, and requires its commit to be on disk.
    ///
    /// A stricter setting stays (postgresql.org/docs/15/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT).
    private var setting: Statement {
        """
        SELECT \(rules.hasSnapshots ? "pg_current_xact_id()::text" : "'0'"),
            CASE WHEN current_setting('synchronous_commit') IN ('on', 'remote_apply') THEN 'kept'
                ELSE set_config('synchronous_commit', 'on', true) END,
            set_config('idle_in_transaction_session_timeout', '\(Self.patience)', true),
            set_config('lock_timeout', '\(Self.lockPatience)', true)
        """
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

extension WriteLedger {
    /// Returns the statement that reads the beginnings of histories that may be too long, or `nil` if there are none.
    func pruningQuestion(_ limits: UserHistoryLimits) -> Statement? {
        let candidates = users.compactMapValues { $0.prunedChangeCount(by: limits) }
        guard let most = candidates.values.max() else { return nil }
        return Statement(
            """
            SELECT \(UserRows.changeColumns)
            FROM unnest($1::text[]) AS asked (id)
            CROSS JOIN LATERAL (
                SELECT * FROM user_history WHERE user_id = asked.id ORDER BY version LIMIT $2::bigint) AS change
            ORDER BY change.user_id, change.version
            """,
            .texts(candidates.keys.map(\.text)),
            .number(Int64(most))
        )
    }

    /// Returns the statement that deletes the rows beyond the limits, to run after new rows are added, or `nil` if
    /// there are none.
    func pruning(_ beginnings: ResultRows, limits: UserHistoryLimits) throws(PostgresError) -> Statement? {
        var oldest: [UserID: [UserChange]] = [:]
        for row in beginnings { oldest[try row.user(9), default: []].append(try UserChange(row)) }
        let ends = users.compactMap { id, user -> (String, Int64)? in
            guard user.prunedChangeCount(by: limits) != nil else { return nil }
            return user.end(oldest: oldest[id] ?? [], limits: limits).map { (id.text, Int64($0)) }
        }
        guard !ends.isEmpty else { return nil }
        return Statement(
            """
            DELETE FROM user_history AS change USING unnest($1::text[], $2::bigint[]) AS dropped (id, version)
            WHERE change.user_id = dropped.id AND change.version <= dropped.version
            """,
            .texts(ends.map(\.0)),
            .numbers(ends.map(\.1))
        )
    }
}
