import DeepLinkStorage

/// The reason why a PostgreSQL database cannot be used, with its remedy.
package enum PostgresError: StoreError {
    /// The text begins like a PostgreSQL URI, but isn't one.
    case badLocation

    /// The server doesn't respond, or the connection broke, for the given reason.
    case unreachable(String)

    /// The server did not respond in time.
    case late

    /// The server refused a statement.
    case refused(state: String, message: String)

    /// The database lacks the tables of this program, and creating them wasn't requested.
    case noTables

    /// A newer version of this program has changed the schema.
    case newerSchema

    /// The server's settings allow acknowledged changes to be lost.
    case notDurable(String)

    /// The database's encoding isn't UTF-8, so it could not hold every id.
    case badEncoding(String)

    /// A pooler ends each transaction after one statement. The value is its message.
    case noTransactions(String)

    /// The server's response doesn't match the request.
    case unexpected(String)

    /// The store was closed.
    case closed

    package var isDamage: Bool { if case .unexpected = self { true } else { false } }

    package var description: String {
        switch self {
        case .badLocation:
            "The database's URI cannot be read; write postgres://USER@HOST:PORT/DATABASE, with special characters "
                + "percent-encoded."
        case .unreachable(let reason):
            "The database cannot be reached: \(reason). Check that it runs, and the values of --database, of libpq's "
                + "variables (PGHOST, PGPASSWORD, …) and of its files."
        case .late: "The database has not answered in time."
        case .refused(let state, let message): "The database refuses: \(message) (SQLSTATE \(state))."
        case .noTables:
            "The database has no tables of waymark. Name the one of your server with --database; `waymark serve` makes them, "
                + "and so do `waymark token create`, `waymark user set` and `waymark user import` with --create."
        case .newerSchema:
            "A newer version of waymark has written the database. Run that version, or restore a backup of before its "
                + "upgrade by PostgreSQL's own tools; changes since the backup are then lost."
        case .notDurable(let reason):
            "The database server could lose acknowledged writes: \(reason). Correct it in postgresql.conf, or "
                + "choose another database."
        case .badEncoding(let encoding):
            "The database keeps text as \(encoding). Create one with UTF8: `createdb --encoding UTF8 --template template0`."
        case .noTransactions(let reason):
            "The database's pooler allows no transactions: \(reason). Set its pool_mode to transaction or session, or "
                + "name the server itself with --database."
        case .unexpected(let what): "The database has unexpected contents or answers: \(what)."
        case .closed: "The database is closed."
        }
    }

    /// Whether the connection is unusable.
    var isLoss: Bool {
        switch self {
        case .unreachable, .late, .closed: true
        // The server ends the connection: operator intervention, connection exceptions, idle in transaction, and a
        // server that has become read-only, since another has replaced it
        // (postgresql.org/docs/15/errcodes-appendix.html).
        case .refused(let state, _):
            state.utf8.starts(with: "57P".utf8) || state.utf8.starts(with: "08".utf8)
                || state.utf8.elementsEqual("25P03".utf8)
                || state.utf8.elementsEqual("25006".utf8)
        default: false
        }
    }

    /// Whether the call timed out without a reason from the server.
    var isLate: Bool { if case .late = self { true } else { false } }

    /// Whether the same transaction may succeed if it is retried: after a conflict with others, or if another
    /// connection prepared the statement, as behind pgbouncer.
    var isPassing: Bool {
        guard case .refused(let state, _) = self else { return false }
        return [
            "40001", "40P01",  // serialization failure, deadlock
            "23505",  // another has inserted the same key first
            "55P03",  // a lock is held for long
            "26000", "42P05",  // prepared statements
        ]
        .contains { state.utf8.elementsEqual($0.utf8) }
    }

    /// Whether the database would refuse other changes as well: it is unreachable, or lacks space or rights (classes
    /// 53, 57, 58 and 42 of postgresql.org/docs/15/errcodes-appendix.html).
    var isOfDatabase: Bool {
        guard !isLoss, case .refused(let state, _) = self else { return isLoss }
        return ["53", "57", "58", "42"].contains { state.utf8.starts(with: $0.utf8) }
    }

    /// Returns whether the server refused a statement with an error code.
    func isRefusal(_ wanted: String) -> Bool {
        guard case .refused(let state, _) = self else { return false }
        return state.utf8.elementsEqual(wanted.utf8)
    }
}
