package import DeepLinkStorage
import GRDB

/// The rows of `audit_name`: users with their audit log names.
enum AuditNameRecord {
    static let table = CheckedTable(name: "audit_name", columns: "user_id, name")

    /// Reads the name of a user, or `nil` if there is none.
    static func name(of id: UserID, _ database: Database) throws -> AuditName? {
        try table.rows("WHERE user_id = ?", [id.text], database).first?.auditName().name
    }
}

extension SQLiteStore {
    package func auditName(of id: UserID) throws -> AuditName? { try read { try AuditNameRecord.name(of: id, $0) } }

    package func users(named names: [AuditName]) throws -> [AuditName: UserID] {
        try read { database in
            try names.reduce(into: [:]) { users, name in
                users[name] = try AuditNameRecord.table.rows("WHERE name = ?", [name.text], database).first?
                    .auditName().id
            }
        }
    }
}
