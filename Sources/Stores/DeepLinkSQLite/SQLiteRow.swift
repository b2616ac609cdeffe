import GRDB
import GRDBSQLite

/// The current row of a statement, read with SQLite's own functions.
///
/// Building GRDB's row takes longer than finding it.
struct SQLiteRow {
    let statement: SQLiteStatement

    /// Steps to the next row of a statement, or returns `nil` at the end.
    static func next(_ statement: SQLiteStatement, _ database: Database) throws -> SQLiteRow? {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return SQLiteRow(statement: statement)
        case SQLITE_DONE: return nil
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
    }

    /// Reads the first row of a statement with a text as its parameter, or returns `nil` if there is none.
    ///
    /// The text is bound without a copy, and only while the statement runs. Copying the arguments takes half of the
    /// time.
    static func first<Value>(
        of sql: String,
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
                return try next(statement, database).map(read)
            }
        }
    }

    /// Returns a whole number, or `nil` for NULL and other types.
    func integer(_ column: CInt) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
    }

    /// Returns a text, or `nil` for NULL and other types.
    func text(_ column: CInt) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let bytes = sqlite3_column_text(statement, column)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Returns bytes, which are empty for NULL and other types.
    func bytes(_ column: CInt) -> [UInt8] {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return [] }
        return Array(rawBytes(column))
    }

    /// Returns the checksum of some columns with the values that were written.
    func checksum(_ columns: Range<CInt>, of table: String) -> Int64 {
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
