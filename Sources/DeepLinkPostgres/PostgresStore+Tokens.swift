import DeepLinkCore
import DeepLinkStorage
package import DeepLinkUsers

extension PostgresStore: ServiceTokenStore {
    package func serviceTokens() async throws -> [ServiceToken] {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement(
                    """
                    SELECT id, digest, role, note, created_at, expires_at, revoked_at, grants FROM service_token
                    ORDER BY created_at, id
                    """
                ),
                until: deadline
            )
            return try rows.map { row throws(PostgresError) in try rows.serviceToken(row) }
        }
    }
}

extension ResultRows {
    /// Returns the token in a row.
    func serviceToken(_ row: Int) throws(PostgresError) -> ServiceToken {
        guard let id = ServiceTokenID(try text(row, column: 0)), let role = Role(bytewise: try text(row, column: 2)),
            let grants = GrantsText.names(try optionalText(row, column: 7))
        else {
            throw .unexpected("an invalid token")
        }
        return ServiceToken(
            id: id,
            digest: try byteString(row, column: 1),
            role: role,
            grants: grants,
            note: try text(row, column: 3),
            created: try time(row, column: 4),
            expires: try optionalNumber(row, column: 5).map(Timestamp.init(millisecondsSinceEpoch:)),
            revoked: try optionalNumber(row, column: 6).map(Timestamp.init(millisecondsSinceEpoch:))
        )
    }
}
