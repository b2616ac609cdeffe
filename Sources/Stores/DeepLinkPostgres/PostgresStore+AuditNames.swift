import DeepLinkCore
package import DeepLinkStorage

/// The names of users in the audit log.
extension PostgresStore: AuditNameStore {
    package func auditName(of id: UserID) async throws -> AuditName? {
        try await pages.rows("SELECT user_id, name FROM audit_name WHERE user_id = $1::text", .text(id.text)) {
            row throws(PostgresError) in try row.auditName().name
        }
        .first
    }

    package func users(named names: [AuditName]) async throws -> [AuditName: UserID] {
        let users = try await pages.rows(
            "SELECT user_id, name FROM audit_name WHERE name = ANY($1::text[])",
            .texts(names.map(\.text))
        ) { row throws(PostgresError) in try row.auditName() }
        return users.reduce(into: [:]) { found, user in found[user.name] = user.id }
    }
}

extension WriteLedger {
    /// Reads and locks the audit log names of users, and of the users that stored short links are about.
    ///
    /// Must follow the statement that locks the links.
    static func auditNames(_ ids: Set<UserID>, ofLinks codes: Set<ShortLinkCode>) -> Reading {
        Reading(
            """
            SELECT user_id, name FROM audit_name
            WHERE user_id = ANY($1::text[])
                OR user_id = ANY(ARRAY(SELECT about FROM short_link WHERE code = ANY($2::text[])))
            ORDER BY user_id FOR UPDATE
            """,
            .texts(ids.map(\.text)),
            .texts(codes.map(\.text))
        ) { ledger, row throws(PostgresError) in
            let (id, name) = try row.auditName()
            ledger.auditNames.read(name, of: id)
        }
    }

    /// The statements that delete and add names.
    ///
    /// If another replica has added a name meanwhile, the transaction fails.
    var auditNameStatements: [Statement] {
        let new = auditNames.new.sorted { $0.key.text.bytewise < $1.key.text.bytewise }
        return [
            Statement(
                "DELETE FROM audit_name WHERE user_id = ANY($1::text[])",
                .texts(auditNames.forgotten.map(\.text))
            ),
            Statement(
                "INSERT INTO audit_name (user_id, name) SELECT * FROM unnest($1::text[], $2::text[])",
                .texts(new.map(\.key.text)),
                .texts(new.map(\.value.text))
            ),
        ]
    }
}
