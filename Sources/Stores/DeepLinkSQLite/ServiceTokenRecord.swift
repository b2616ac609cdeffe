import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB

/// A row of `service_token`, written from a `ServiceToken` and read as one.
struct ServiceTokenRecord: FetchableRecord {
    private static let table = CheckedTable(name: "service_token", columns: StoredColumnNames.token)

    static let columns = table.columns + ", checksum"

    let token: ServiceToken

    init(_ token: ServiceToken) {
        self.token = token
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    init(row: Row) throws {
        token = try TableRow(row: row, table: Self.table.name).serviceToken()
        guard try row.decode(Int64.self, atIndex: 9) == checksum else { throw Self.table.damage }
    }

    /// Reads all tokens, the oldest first.
    ///
    /// - Throws: ``DamagedRowError`` also if their number differs from the number of added tokens. Otherwise a table
    ///   emptied by damage would open a closed server.
    static func all(_ database: Database) throws -> [ServiceToken] {
        let tokens = try fetchAll(
            database.cachedStatement(sql: "SELECT \(columns) FROM service_token ORDER BY created_at, id")
        )
        guard try StoredNumber.serviceTokens.value(database) == Int64(tokens.count) else {
            throw table.damage
        }
        return tokens.map(\.token)
    }

    /// Reads a token, or `nil` if there is none.
    static func find(_ id: ServiceTokenID, in database: Database) throws -> ServiceToken? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM service_token WHERE id = ?")
        return try fetchOne(statement, arguments: [id.text])?.token
    }

    /// Adds the row and increases the number of tokens.
    func insert(_ database: Database) throws {
        try write("INSERT", in: database)
        try StoredNumber.serviceTokens.set(StoredNumber.serviceTokens.value(database) + 1, in: database)
    }

    /// Stores the time at which a token is revoked, if it exists.
    static func revoke(_ id: ServiceTokenID, at time: Timestamp, in database: Database) throws {
        guard let token = try find(id, in: database) else { return }
        try ServiceTokenRecord(token.revoked(at: time)).write("REPLACE", in: database)
    }

    /// Stores the day on which a token was used, unless the stored one is later.
    static func noteUse(of id: ServiceTokenID, on day: CountedDay, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE service_token SET last_used = ? WHERE id = ? AND (last_used IS NULL OR last_used < ?)"
        )
        try statement.execute(arguments: [day.number, id.text, day.number])
    }

    private func write(_ verb: String, in database: Database) throws {
        try database.execute(
            sql: "\(verb) INTO service_token (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: values
        )
    }

    /// The values of the columns, in their order.
    private var values: StatementArguments {
        [
            token.id.text, Data(token.digest), token.role.rawValue, token.note, token.created.millisecondsSinceEpoch,
            token.expires?.millisecondsSinceEpoch, token.revoked?.millisecondsSinceEpoch,
            GrantsCoding.text(of: token.grants), token.lastUsed?.number, checksum,
        ]
    }

    /// The checksum of the row, which covers everything that affects authentication.
    var checksum: Int64 {
        var checksum = RowChecksum(table: Self.table.name)
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
