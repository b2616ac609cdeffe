package import DeepLinkCore
import Foundation
import GRDB

extension SQLiteUserStateStore: ServiceTokenStore {
    package func serviceTokens() throws -> [ServiceToken] {
        try read { database in
            let statement = try database.cachedStatement(sql: "SELECT * FROM service_token ORDER BY created_at, id")
            return try Row.fetchAll(statement).map(Self.token)
        }
    }

    package func add(_ token: ServiceToken) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO service_token (id, digest, role, note, created_at, expires_at, revoked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.id.text, Data(token.digest), token.role.rawValue, token.note,
                    token.created.millisecondsSinceEpoch, token.expires?.millisecondsSinceEpoch,
                    token.revoked?.millisecondsSinceEpoch,
                ]
            )
        }
    }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE service_token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?",
                arguments: [time.millisecondsSinceEpoch, id.text]
            )
            return database.changesCount == 1
        }
    }

    /// The token that a row stands for.
    ///
    /// - Throws: ``StoreDamage`` for a row that the schema's constraints forbid.
    private static func token(_ row: Row) throws -> ServiceToken {
        guard let id = ServiceTokenID(row["id"] as String), let role = Role(rawValue: row["role"]) else {
            throw StoreDamage(table: "service_token")
        }
        let digest: Data = row["digest"]
        return ServiceToken(
            id: id,
            digest: Array(digest),
            role: role,
            note: row["note"],
            created: Timestamp(millisecondsSinceEpoch: row["created_at"]),
            expires: (row["expires_at"] as Int64?).map(Timestamp.init(millisecondsSinceEpoch:)),
            revoked: (row["revoked_at"] as Int64?).map(Timestamp.init(millisecondsSinceEpoch:))
        )
    }
}
