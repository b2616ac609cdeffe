import GRDB

/// The check of a whole database file (sqlite.org/pragma.html#pragma_quick_check), which takes time in proportion to its
/// size.
enum FileCheck {
    /// Returns the fault of the file, including that it cannot be read; `nil` for none.
    static func finding(_ pool: DatabasePool) throws -> String? {
        do {
            return try pool.read(finding)
        } catch let error as DatabaseError {
            return WriteBarrier.reason(error)
        }
    }

    /// Returns the fault of the file, beside other reads; `nil` for none.
    ///
    /// - Throws: `CancellationError`.
    static func finding(_ pool: DatabasePool) async throws -> String? {
        do {
            return try await pool.read(finding)
        } catch let error as DatabaseError {
            try Task.checkCancellation()
            return WriteBarrier.reason(error)
        }
    }

    private static func finding(_ database: Database) throws -> String? {
        let lines = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
        return lines == ["ok"] ? nil : lines.joined(separator: "; ")
    }
}
