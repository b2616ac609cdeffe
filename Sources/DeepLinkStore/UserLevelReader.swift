import DeepLinkCore
import GRDB
import GRDBSQLite
import Synchronization

/// Reads what decides a user's level, for a quarter of what a read of the pool costs.
///
/// The pool asks for the version of the schema and puts each read into a transaction, which are further transactions of
/// SQLite. One SELECT is a transaction by itself (sqlite.org/lang_transaction.html), sees all that is committed, and
/// waits for no writer; the schema does not change while a server runs. The statement is GRDB's, and is run by SQLite's
/// own functions (sqlite.org/cintro.html): to make rows of it takes longer than to find the user.
///
/// There are as many connections as threads have ever read at the same time.
final class UserLevelReader: Sendable {
    private static let query = "SELECT level, valid_until, level_after FROM user_state WHERE id = ?"

    /// How much of the file each connection keeps, in KiB: the inner pages of ten million users, so that one page is
    /// read for each.
    ///
    /// The file is not mapped into memory (sqlite.org/mmap.html): that would gain a tenth of the time, and an error of
    /// the disk would end the process.
    private static let cacheSize = 4096

    private let path: String
    private let configuration: Configuration
    private let idle = Mutex<[DatabaseQueue]>([])

    /// Creates a reader that opens no connection yet.
    init(path: String) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "waymark.levels"
        configuration.readonly = true
        // As for the readers of the pool: there are moments at which a reader finds the file locked.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)") }
        self.configuration = configuration
    }

    /// Reads a user's grant; `nil` for a user without a state.
    func grant(of id: UserID) throws -> LevelGrant? {
        let connection = try idle.withLock { $0.popLast() } ?? DatabaseQueue(path: path, configuration: configuration)
        defer { idle.withLock { $0.append(connection) } }
        return try connection.unsafeRead { database in
            let statement = try database.cachedStatement(sql: Self.query)
            var text = id.text
            return try text.withUTF8 { bytes in
                try bytes.withMemoryRebound(to: CChar.self) { try Self.grant(of: $0, statement.sqliteStatement) }
            }
        }
    }

    /// Runs the query; the bytes need to be valid until then, and no transaction is left open.
    private static func grant(
        of id: UnsafeBufferPointer<CChar>,
        _ statement: SQLiteStatement
    ) throws -> LevelGrant? {
        defer { sqlite3_clear_bindings(statement) }
        var code = sqlite3_bind_text(statement, 1, id.baseAddress, CInt(id.count), nil)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        defer { sqlite3_reset(statement) }
        switch code {
        case SQLITE_DONE: return nil
        case SQLITE_ROW:
            guard let rank = integer(0, of: statement) else { throw StoreDamage(table: UserStateRecord.table) }
            return try LevelGrant(
                rank: Int(rank),
                validUntil: integer(1, of: statement),
                rankAfter: integer(2, of: statement).map(Int.init)
            )
        default:
            let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: query)
        }
    }

    /// The value of a column of the row that was found; `nil` for NULL.
    private static func integer(_ column: CInt, of statement: SQLiteStatement) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    /// Closes the connections; no call may follow.
    func close() throws {
        for connection in idle.withLock(\.self) { try connection.close() }
    }
}
