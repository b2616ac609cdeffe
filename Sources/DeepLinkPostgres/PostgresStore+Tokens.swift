package import DeepLinkCore
import DeepLinkStoring

extension PostgresStore: ServiceTokenStore {
    package func serviceTokens() async throws -> [ServiceToken] {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement(
                    """
                    SELECT id, digest, role, note, created_at, expires_at, revoked_at FROM service_token
                    ORDER BY created_at, id
                    """
                ),
                until: deadline
            )
            return try rows.map { row throws(PostgresError) in try rows.serviceToken(row) }
        }
    }

    package func add(_ token: ServiceToken) async throws { _ = try await make(.add(token)) }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        guard case .done(let isThere) = try await make(.revoke(id, at: time)) else {
            throw PostgresError.unexpected("no outcome")
        }
        return isThere
    }
}

extension PostgresStore: ContinuationStore {
    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding {
        guard case .bound(let standing) = try await make(.bind(id, user, until: end, at: time)) else {
            throw PostgresError.unexpected("no outcome")
        }
        return standing
    }

    package func spend(_ id: ContinuationID) async throws -> Bool {
        guard case .spent(let isSpent) = try await make(.spend(id)) else {
            throw PostgresError.unexpected("no outcome")
        }
        return isSpent
    }
}

extension Rows {
    /// Returns the token of a row.
    func serviceToken(_ row: Int) throws(PostgresError) -> ServiceToken {
        guard let id = ServiceTokenID(try text(row, 0)), let role = Role(bytewise: try text(row, 2)) else {
            throw .unexpected("a token that is none")
        }
        return ServiceToken(
            id: id,
            digest: try byteString(row, 1),
            role: role,
            note: try text(row, 3),
            created: try time(row, 4),
            expires: try optionalNumber(row, 5).map(Timestamp.init(millisecondsSinceEpoch:)),
            revoked: try optionalNumber(row, 6).map(Timestamp.init(millisecondsSinceEpoch:))
        )
    }
}
