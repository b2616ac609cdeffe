import DeepLinkCore
import DeepLinkStorage
import GRDB
import GRDBSQLite
import Synchronization

/// A reader of single rows, such as users' levels and short links, at a quarter of the cost of a read by the pool.
///
/// The pool reads the schema version and puts each read into a transaction, which are further transactions of SQLite. A
/// single SELECT is a transaction of its own (sqlite.org/lang_transaction.html), sees all committed data, and does not
/// wait for writers. The schema doesn't change while a server runs.
///
/// The number of connections is the largest number of threads that have read at the same time.
final class PointReader: Sendable {
    /// The page cache of each connection, in KiB: the inner pages for ten million users, so that a lookup reads one
    /// page from the file.
    ///
    /// The file isn't memory-mapped (sqlite.org/mmap.html). That would save a tenth of the time, but a disk error would
    /// end the process.
    private static let cacheSize = 4096

    private let path: String
    private let configuration: Configuration
    private let idle = Mutex<[DatabaseQueue]>([])

    /// Creates a reader without connections, which are opened as needed.
    init(path: String) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "waymark.rows"
        configuration.readonly = true
        // As for the readers of the pool: a reader may find the file briefly locked.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)") }
        self.configuration = configuration
    }

    /// Reads a user's access, or `nil` for a user without a state.
    func access(of id: UserID) throws -> UserAccess? {
        try read {
            try UserStateRecord.find(id, in: $0)?.access
        } orWhole: {
            try StoredUser(of: id, $0).state?.access
        }
    }

    /// Reads a row with one statement, or, if that finds nothing, with several that must see the same state.
    func read<Row>(_ first: (Database) throws -> Row?, orWhole rest: (Database) throws -> Row?) throws -> Row? {
        let connection = try idle.withLock { $0.popLast() } ?? DatabaseQueue(path: path, configuration: configuration)
        defer { idle.withLock { $0.append(connection) } }
        if let row = try connection.unsafeRead(first) { return row }
        return try connection.read(rest)
    }

    /// Closes the connections.
    ///
    /// The reader must not be used afterwards.
    func close() throws {
        for connection in idle.withLock(\.self) { try connection.close() }
    }
}

/// The current row of a statement, read with SQLite's own functions.
///
/// Building GRDB's row takes longer than finding it. Every column is read with its type, since a checksum doesn't cover
/// the types (``RowChecksum``).
struct SQLiteRow {
    let statement: SQLiteStatement

    /// The table of the row.
    let table: String

    /// Steps to the next row of a statement, or returns `nil` at the end.
    static func next(_ statement: SQLiteStatement, of table: String, _ database: Database) throws -> SQLiteRow? {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return SQLiteRow(statement: statement, table: table)
        case SQLITE_DONE: return nil
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
    }

    /// Reads the first row of a statement with a text as its parameter, or returns `nil` if there is none.
    ///
    /// The text is bound without a copy, and only while the statement runs. Copying the arguments takes half of the
    /// time.
    static func first<Value>(
        of table: String,
        sql: String,
        binding text: String,
        _ database: Database,
        read: (SQLiteRow) throws -> Value
    ) throws -> Value? {
        let statement = try database.cachedStatement(sql: sql).sqliteStatement
        var text = text
        return try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { bytes in
                defer {
                    sqlite3_reset(statement)
                    sqlite3_clear_bindings(statement)
                }
                guard sqlite3_bind_text(statement, 1, bytes.baseAddress, CInt(bytes.count), nil) == SQLITE_OK else {
                    throw DatabaseError(message: database.lastErrorMessage)
                }
                return try next(statement, of: table, database).map(read)
            }
        }
    }

    /// Returns a whole number, or `nil` for NULL.
    ///
    /// - Throws: ``DamagedRowError`` for another type.
    func integer(_ column: CInt) throws(DamagedRowError) -> Int64? {
        try holds(SQLITE_INTEGER, in: column) ? sqlite3_column_int64(statement, column) : nil
    }

    /// Returns a text, or `nil` for NULL.
    ///
    /// - Throws: ``DamagedRowError`` for another type.
    func text(_ column: CInt) throws(DamagedRowError) -> String? {
        guard try holds(SQLITE_TEXT, in: column), let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Returns bytes, or `nil` for NULL.
    ///
    /// - Throws: ``DamagedRowError`` for another type.
    func bytes(_ column: CInt) throws(DamagedRowError) -> [UInt8]? {
        try holds(SQLITE_BLOB, in: column) ? Array(rawBytes(column)) : nil
    }

    /// Returns whether a column has a value of a type, or `false` for NULL.
    ///
    /// - Throws: ``DamagedRowError`` for another type.
    private func holds(_ type: CInt, in column: CInt) throws(DamagedRowError) -> Bool {
        switch sqlite3_column_type(statement, column) {
        case type: return true
        case SQLITE_NULL: return false
        default: throw DamagedRowError(table: table)
        }
    }

    /// Returns the checksum of some columns with the values that were written.
    func checksum(_ columns: Range<CInt>) -> Int64 {
        var checksum = RowChecksum(table: table)
        for column in columns {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: checksum.add(sqlite3_column_int64(statement, column))
            case SQLITE_NULL: checksum.add(nil)
            default: checksum.add(rawBytes(column))
            }
        }
        return checksum.value
    }

    private func rawBytes(_ column: CInt) -> UnsafeRawBufferPointer {
        let bytes = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
