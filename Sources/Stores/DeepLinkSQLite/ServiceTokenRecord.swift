import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// The rows of `service_token`.
enum ServiceTokenRecord {
    private static let table = CheckedTable(name: "service_token", columns: StoredColumnNames.token)

    static let columns = table.columns + ", checksum"

    /// Reads a row of ``columns``.
    ///
    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    private static func token(_ row: Row) throws -> ServiceToken {
        let token = try TableRow(row: row, table: table.name).serviceToken()
        guard try row.decode(Int64.self, atIndex: 9) == checksum(of: token) else { throw table.damage }
        return token
    }

    /// Reads all tokens, the oldest first.
    ///
    /// - Throws: ``DamagedRowError`` also if their number differs from the number of added tokens. Otherwise a table
    ///   emptied by damage would open a closed server.
    static func all(_ database: Database) throws -> [ServiceToken] {
        let sql = "SELECT \(columns) FROM service_token ORDER BY created_at, id"
        let tokens = try Row.fetchAll(database.cachedStatement(sql: sql)).map(token)
        guard try StoredNumber.serviceTokens.value(database) == Int64(tokens.count) else { throw table.damage }
        return tokens
    }

    /// Reads a token, or `nil` if there is none.
    static func find(_ id: ServiceTokenID, in database: Database) throws -> ServiceToken? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM service_token WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id.text]).map(token)
    }

    /// Adds the row and increases the number of tokens.
    static func insert(_ token: ServiceToken, in database: Database) throws {
        try write("INSERT", token, in: database)
        try StoredNumber.serviceTokens.set(StoredNumber.serviceTokens.value(database) + 1, in: database)
    }

    /// Stores the time at which a token is revoked, if it exists.
    static func revoke(_ id: ServiceTokenID, at time: Timestamp, in database: Database) throws {
        guard let token = try find(id, in: database) else { return }
        try write("REPLACE", token.revoked(at: time), in: database)
    }

    /// Stores the day on which a token was used, unless the stored one is later.
    static func noteUse(of id: ServiceTokenID, on day: CountedDay, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE service_token SET last_used = ? WHERE id = ? AND (last_used IS NULL OR last_used < ?)"
        )
        try statement.execute(arguments: [day.number, id.text, day.number])
    }

    private static func write(_ verb: String, _ token: ServiceToken, in database: Database) throws {
        try database.execute(
            sql: "\(verb) INTO service_token (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                token.id.text, Data(token.digest), token.role.rawValue, token.note,
                token.created.millisecondsSinceEpoch,
                token.expires?.millisecondsSinceEpoch, token.revoked?.millisecondsSinceEpoch,
                GrantsCoding.text(of: token.grants), token.lastUsed?.number, checksum(of: token),
            ]
        )
    }

    /// Returns the checksum of a row, which covers everything that affects authentication.
    static func checksum(of token: ServiceToken) -> Int64 {
        var checksum = RowChecksum(table: table.name)
        checksum.add(token.id.text)
        token.digest.withUnsafeBytes { checksum.add($0) }
        checksum.add(token.role.rawValue)
        checksum.add(token.note)
        checksum.add(token.created.millisecondsSinceEpoch)
        checksum.add(token.expires?.millisecondsSinceEpoch)
        checksum.add(token.revoked?.millisecondsSinceEpoch)
        // Checksums of rows of earlier schemas don't cover the grants.
        if let grants = GrantsCoding.text(of: token.grants) { checksum.add(grants) }
        return checksum.value
    }
}
