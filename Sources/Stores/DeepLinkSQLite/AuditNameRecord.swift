package import DeepLinkStorage
import GRDB

/// A row of `audit_name`: a user and the user's audit log name.
struct AuditNameRecord: FetchableRecord {
    private static let table = "audit_name"

    static let columns = "user_id, name, checksum"

    let id: UserID

    let name: AuditName

    private init(_ name: AuditName, of id: UserID) {
        self.id = id
        self.name = name
    }

    /// - Throws: ``DamagedRowError`` if the row differs from the one written.
    init(row: Row) throws {
        guard let id = UserID(stored: try row.decode(String.self, atIndex: 0)),
            let name = AuditName(try row.decode(String.self, atIndex: 1))
        else { throw DamagedRowError(table: Self.table) }
        self.init(name, of: id)
        guard try row.decode(Int64.self, atIndex: 2) == checksum else { throw DamagedRowError(table: Self.table) }
    }

    private var checksum: Int64 {
        var checksum = RowChecksum(table: Self.table)
        checksum.add(id.text)
        checksum.add(name.text)
        return checksum.value
    }

    /// Reads the name of a user, or `nil` if there is none.
    static func name(of id: UserID, _ database: Database) throws -> AuditName? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM audit_name WHERE user_id = ?")
        return try fetchOne(statement, arguments: [id.text])?.name
    }

    /// Reads the user of a name, or `nil` if there is none.
    static func user(named name: AuditName, _ database: Database) throws -> UserID? {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM audit_name WHERE name = ?")
        return try fetchOne(statement, arguments: [name.text])?.id
    }

    /// Adds the name of a user without one.
    static func insert(_ name: AuditName, of id: UserID, in database: Database) throws {
        let record = AuditNameRecord(name, of: id)
        try database.cachedStatement(sql: "INSERT INTO audit_name (\(columns)) VALUES (?, ?, ?)")
            .execute(arguments: [id.text, name.text, record.checksum])
    }

    /// Deletes the name of a user.
    static func delete(of id: UserID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM audit_name WHERE user_id = ?").execute(arguments: [id.text])
    }
}

extension SQLiteStore {
    package func auditName(of id: UserID) throws -> AuditName? { try read { try AuditNameRecord.name(of: id, $0) } }

    package func users(named names: [AuditName]) throws -> [AuditName: UserID] {
        try read { database in
            var users: [AuditName: UserID] = [:]
            for name in names { users[name] = try AuditNameRecord.user(named: name, database) }
            return users
        }
    }
}
