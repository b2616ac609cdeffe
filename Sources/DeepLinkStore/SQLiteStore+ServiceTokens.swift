package import DeepLinkCore
import GRDB

extension SQLiteStore: ServiceTokenStore {
    package func serviceTokens() throws -> [ServiceToken] {
        try read(ServiceTokenRecord.all)
    }

    package func add(_ token: ServiceToken) async throws {
        try await write { database in
            try Self.insert("INSERT", token, database)
            try StoredNumber.serviceTokens.set(StoredNumber.serviceTokens.value(database) + 1, database)
        }
    }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        try await write { database in
            let record = try ServiceTokenRecord.fetchOne(
                database.cachedStatement(sql: "SELECT \(ServiceTokenRecord.columns) FROM service_token WHERE id = ?"),
                arguments: [id.text]
            )
            guard let token = record?.token else { return false }
            guard token.revoked == nil else { return true }
            let revoked = ServiceToken(
                id: token.id,
                digest: token.digest,
                role: token.role,
                note: token.note,
                created: token.created,
                expires: token.expires,
                revoked: time
            )
            try Self.insert("REPLACE", revoked, database)
            return true
        }
    }

    private static func insert(_ verb: String, _ token: ServiceToken, _ database: Database) throws {
        try database.execute(
            sql: "\(verb) INTO service_token (\(ServiceTokenRecord.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: ServiceTokenRecord(token).values
        )
    }
}
