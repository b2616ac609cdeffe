import GRDB

/// A number that the database stores about itself: a row of `stored_number`.
enum StoredNumber: String {
    private static let table = "stored_number"

    /// The number of service tokens.
    case serviceTokens = "service tokens"

    /// The latest end of a deleted continuation, in milliseconds since 1970.
    case forgottenUntil = "continuations forgotten until"

    /// The number of erased users, whose missing history cannot inform other processes.
    case erasures = "erasures"

    /// The number of changes of stored short links, which no row reports to other processes.
    case shortLinkChanges = "short link changes"

    /// Reads the number.
    ///
    /// - Throws: ``DamagedRowError`` if its row is missing, or differs from the one written.
    func value(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT value, checksum FROM stored_number WHERE name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [rawValue]) else {
            throw DamagedRowError(table: Self.table)
        }
        let value = try row.decode(Int64.self, atIndex: 0)
        guard try row.decode(Int64.self, atIndex: 1) == checksum(value) else {
            throw DamagedRowError(table: Self.table)
        }
        return value
    }

    /// Writes the number.
    func set(_ value: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "REPLACE INTO stored_number (name, value, checksum) VALUES (?, ?, ?)")
            .execute(arguments: [rawValue, value, checksum(value)])
    }

    private func checksum(_ value: Int64) -> Int64 {
        var checksum = RowChecksum(table: Self.table)
        checksum.add(rawValue)
        checksum.add(value)
        return checksum.value
    }
}
