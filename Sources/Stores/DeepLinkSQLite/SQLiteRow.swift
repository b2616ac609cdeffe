import GRDB
import GRDBSQLite

/// The current row of a statement, read with SQLite's own functions.
///
/// Building GRDB's row takes longer than finding it.
struct SQLiteRow {
    private let statement: SQLiteStatement

    /// Creates the row to which a statement has stepped.
    init(_ statement: SQLiteStatement) {
        self.statement = statement
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
