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

/// The checksum of a row: 64 bits over its table and the values of its columns, in order.
///
/// It detects damage, not manipulation: anyone with write access to the file can also write checksums. Each step is a
/// bijection of 64 bits, so two rows that differ in one number, or in eight bytes of one text, never have the same
/// checksum. Any other two rows have the same checksum with a probability of 2^-64, but for one case: an empty text
/// takes the step of the number 0. The types of columns are therefore checked when a row is read.
///
/// It is FNV-1a (RFC 9923), applied to eight bytes at a time, with a shift that mixes the upper half into the lower. A
/// table-driven CRC costs four times as much, and every lookup of a user in the file computes a checksum. The algorithm
/// must not change, since stored rows contain its results.
struct RowChecksum {
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// The value used for NULL, a number that columns never contain.
    private static let null: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Begins the checksum of a row in a table.
    init(table: String) { add(table) }

    /// The checksum of the added values, as stored in the database.
    var value: Int64 { Int64(bitPattern: state) }

    /// Adds a number, or NULL for `nil`.
    mutating func add(_ number: Int64?) { step(number.map(UInt64.init(bitPattern:)) ?? Self.null) }

    /// Adds a text.
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes and their number.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        step(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            step(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var word: UInt64 = 0
        for byte in bytes[offset...].reversed() { word = word << 8 | UInt64(byte) }
        step(word)
    }

    private mutating func step(_ word: UInt64) {
        state = (state ^ word) &* Self.prime
        state ^= state >> 32
    }
}

/// The rows of `kept_answer`: the stored responses to requests with an idempotency key.
enum StoredResponseRecord {
    static let table = CheckedTable(name: "kept_answer", columns: StoredColumnNames.answer)

    /// Reads the response under the key of a request, or `nil` if there is none or it has expired.
    static func find(
        _ request: KeyedRequest,
        in database: Database
    ) throws -> (request: KeyedRequest, answer: StoredResponse)? {
        try table
            .rows(
                "WHERE caller = ? AND method = ? AND path = ? AND key = ? AND kept_at >= ?",
                [request.caller, request.method, request.path, request.key, request.horizon.millisecondsSinceEpoch],
                database
            )
            .first?
            .storedResponse()
    }

    /// Stores a response under the key of a request without one, and deletes some responses that have expired or exceed
    /// the maximum count.
    static func keep(_ answer: StoredResponse, to request: KeyedRequest, atMost count: Int, in database: Database)
        throws
    {
        try table.replace(
            [
                request.caller, request.method, request.path, request.key, Data(answer.digest), answer.status,
                answer.tag, Data(answer.body), request.user.text, request.time.millisecondsSinceEpoch,
            ],
            in: database
        )
        try table.sweep(before: request.horizon, storing: count, in: database)
    }
}

/// The rows of `user_moment`: the effective times of users without a state, from dated deletions that found nothing to
/// delete.
enum UserTimestampsRecord {
    static let table = CheckedTable(name: "user_moment", columns: StoredColumnNames.timestamps)

    /// Reads the effective times of a user without a state, or `nil` if there are none.
    static func find(_ id: UserID, in database: Database) throws -> StoredTimestamps? {
        try table.rows("WHERE user_id = ?", [id.text], database).first?.storedTimestamps().kept
    }

    /// Stores the effective times of a user, replacing former ones, and deletes some that are too old or too many.
    static func keep(_ kept: StoredTimestamps, of id: UserID, limits: UserHistoryLimits, in database: Database) throws {
        try table.replace([id.text, kept.level, kept.grants, kept.time.millisecondsSinceEpoch], in: database)
        let horizon = StoredTimestamps.horizon(at: kept.time, limits)
        try table.sweep(before: horizon, storing: StoredTimestamps.maximumCount, in: database)
    }
}

/// The rows of `audit_name`: users with their audit log names.
enum AuditNameRecord {
    static let table = CheckedTable(name: "audit_name", columns: "user_id, name")

    /// Reads the name of a user, or `nil` if there is none.
    static func name(of id: UserID, _ database: Database) throws -> AuditName? {
        try table.rows("WHERE user_id = ?", [id.text], database).first?.auditName().name
    }
}

extension DatabaseValue {
    /// Adds the value to a checksum, as the records do.
    func add(to checksum: inout RowChecksum) {
        switch storage {
        case .null: checksum.add(nil)
        case .int64(let number): checksum.add(number)
        case .double(let number): checksum.add(Int64(bitPattern: number.bitPattern))
        case .string(let text): checksum.add(text)
        case .blob(let data): data.withUnsafeBytes { checksum.add($0) }
        }
    }
}
