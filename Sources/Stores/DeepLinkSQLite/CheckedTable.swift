import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// A table whose rows have a checksum of their other columns, in the order of these.
struct CheckedTable {
    let name: String

    /// The columns without the checksum.
    let columns: String

    /// The error of a row that differs from the one written.
    var damage: DamagedRowError { DamagedRowError(table: name) }

    /// Reads rows, and checks each.
    ///
    /// - Throws: ``DamagedRowError`` if a row differs from the one written.
    func rows(_ condition: String, _ arguments: StatementArguments, _ database: Database) throws -> [TableRow] {
        let statement = try database.cachedStatement(sql: "SELECT \(columns), checksum FROM \(name) \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map(checked)
    }

    /// Reads all rows one after the other, and checks each.
    func visit(_ database: Database, _ body: (TableRow) throws -> Void) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT \(columns), checksum FROM \(name)")
        while let row = try rows.next() { try body(checked(row)) }
    }

    private func checked(_ row: Row) throws -> TableRow {
        let values = Array(row.databaseValues)
        guard values.last.flatMap(Int64.fromDatabaseValue) == checksum(values.dropLast()) else { throw damage }
        return TableRow(row: row, table: name)
    }

    /// Returns the checksum of a row with the values of ``columns``.
    func checksum(_ values: some Sequence<DatabaseValue>) -> Int64 {
        var checksum = RowChecksum(table: name)
        for value in values { value.add(to: &checksum) }
        return checksum.value
    }

    /// Returns whether there are any rows.
    func hasRows(_ database: Database) throws -> Bool {
        try Row.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM \(name) LIMIT 1")) != nil
    }

    /// Adds a row with the values of ``columns``, and its checksum.
    func insert(_ values: [(any DatabaseValueConvertible)?], in database: Database) throws {
        try write("INSERT", values, in: database)
    }

    /// Writes a row with the values of ``columns``, and its checksum, replacing the row with the same key.
    func replace(_ values: [(any DatabaseValueConvertible)?], in database: Database) throws {
        try write("REPLACE", values, in: database)
    }

    private func write(
        _ verb: String,
        _ values: [(any DatabaseValueConvertible)?],
        in database: Database
    ) throws {
        let values = values.map { $0?.databaseValue ?? .null }
        let places = String(repeating: "?, ", count: values.count) + "?"
        try database.cachedStatement(sql: "\(verb) INTO \(name) (\(columns), checksum) VALUES (\(places))")
            .execute(arguments: StatementArguments(values + [checksum(values).databaseValue]))
    }

    /// Deletes the rows with a value in a column.
    func delete(where column: String, is value: String, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE \(column) = ?").execute(arguments: [value])
    }

    /// Deletes some of the rows that are too old or too many, after one was added.
    ///
    /// The table numbers its rows in the column `sequence`, and has their times in `kept_at`.
    func sweep(before horizon: Timestamp, storing count: Int, in database: Database) throws {
        // Numbers increase by one, so the newest number limits the number of rows.
        let last = database.lastInsertedRowID - Int64(count)
        for (column, first) in [("kept_at", horizon.millisecondsSinceEpoch), ("sequence", last + 1)] {
            try database.cachedStatement(
                sql: """
                    DELETE FROM \(name) WHERE sequence IN (SELECT sequence FROM \(name)
                        WHERE \(column) < ? ORDER BY \(column) LIMIT \(Self.maximumSweepCount))
                    """
            )
            .execute(arguments: [first])
        }
    }

    /// The maximum number of rows to delete when one is added.
    ///
    /// More rows are deleted than added.
    static let maximumSweepCount = 64
}

/// A row that was changed by damage or by another program.
struct DamagedRowError: Error, Hashable, CustomStringConvertible {
    /// The table of the row.
    let table: String

    var description: String { "a row of the table \(table) is not what was written" }
}

/// A row of a table, whose columns are read by their numbers.
struct TableRow: StoredColumns {
    let row: Row
    let table: String

    func optionalText(_ column: Int) throws -> String? { try row.decode(String?.self, atIndex: column) }
    func optionalNumber(_ column: Int) throws -> Int64? { try row.decode(Int64?.self, atIndex: column) }
    func bytes(_ column: Int) throws -> [UInt8] { Array(try row.decode(Data.self, atIndex: column)) }
    func fault(_ what: String) -> any Error { DamagedRowError(table: table) }
}
