import DeepLinkStoring

/// The reason why a PostgreSQL database cannot be used, and what to do about it.
package enum PostgresError: StoreError {
    /// The text begins like a URI of PostgreSQL, and is none.
    case badLocation

    /// The server does not answer, or the connection to it broke, as the reason says.
    case unreachable(String)

    /// No answer came in time.
    case late

    /// The server has refused a statement.
    case refused(state: String, message: String)

    /// The database has no tables of this program, and nobody has asked to make them.
    case noTables

    /// A newer version of this program has changed the schema.
    case newerSchema

    /// The server is set up so that what it has acknowledged could be lost.
    case notDurable(String)

    /// The database keeps text in another encoding than UTF-8, and could not hold every id.
    case badEncoding(String)

    /// What the server sent is not what was asked for.
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
            "The database cannot be reached: \(reason). Check that it runs, and what --database, libpq's variables "
                + "(PGHOST, PGPASSWORD, …) and its files say."
        case .late: "The database has not answered in time."
        case .refused(let state, let message): "The database refuses: \(message) (SQLSTATE \(state))."
        case .noTables:
            "The database has no tables of waymark. Name the one of your server with --database; `waymark serve` makes them, "
                + "and so do `waymark token create`, `waymark user set` and `waymark user import` with --create."
        case .newerSchema: "A newer version of waymark has written the database. Run that version."
        case .notDurable(let reason):
            "The database server could lose what it has acknowledged: \(reason). Set it right in postgresql.conf, or "
                + "choose another database."
        case .badEncoding(let encoding):
            "The database keeps text as \(encoding). Create one with UTF8: `createdb --encoding UTF8 --template template0`."
        case .unexpected(let what): "The database holds or answers what waymark has not written: \(what)."
        case .closed: "The database is closed."
        }
    }

    /// Whether the connection is of no use any more.
    var isLoss: Bool {
        switch self {
        case .unreachable, .late, .closed: true
        // The server ends the connection: operator intervention, connection exceptions, idle in transaction, and a server
        // that only reads, since another has taken its place (postgresql.org/docs/15/errcodes-appendix.html).
        case .refused(let state, _):
            state.utf8.starts(with: "57P".utf8) || state.utf8.starts(with: "08".utf8)
                || state.utf8.elementsEqual("25P03".utf8)
                || state.utf8.elementsEqual("25006".utf8)
        default: false
        }
    }

    /// Whether the same transaction may succeed when it is tried again: a conflict with others, or a statement that another
    /// connection has prepared, as behind pgbouncer.
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

    /// Returns whether the server has refused for a reason.
    func isRefusal(_ wanted: String) -> Bool {
        guard case .refused(let state, _) = self else { return false }
        return state.utf8.elementsEqual(wanted.utf8)
    }
}
