package import DeepLinkStorage

/// The names of users in the audit log.
extension PostgresStore: AuditNameStore {
    package func auditName(of id: UserID) async throws -> AuditName? {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement("SELECT user_id, name FROM audit_name WHERE user_id = $1::text", .text(id.text)),
                until: deadline
            )
            return rows.count == 0 ? nil : try rows.auditName(0).name
        }
    }

    package func users(named names: [AuditName]) async throws -> [AuditName: UserID] {
        try await pages.run { connection, deadline throws(PostgresError) in
            let rows = try connection.run(
                Statement(
                    "SELECT user_id, name FROM audit_name WHERE name = ANY($1::text[])",
                    .texts(names.map(\.text))
                ),
                until: deadline
            )
            var users: [AuditName: UserID] = [:]
            for row in 0..<rows.count {
                let (id, name) = try rows.auditName(row)
                users[name] = id
            }
            return users
        }
    }
}

extension ResultRows {
    /// Returns the user and the name in a row.
    func auditName(_ row: Int) throws(PostgresError) -> (id: UserID, name: AuditName) {
        guard let name = AuditName(try text(row, column: 1)) else { throw .unexpected("a name of the audit log") }
        return (try user(row, column: 0), name)
    }
}

extension WriteLedger {
    /// Reads and locks the audit log names of users, and of the users that stored short links are about.
    ///
    /// Must follow the statement that locks the links.
    static func auditNames(_ ids: Set<UserID>, ofLinks codes: Set<ShortLinkCode>) -> Reading {
        Reading(
            statement: Statement(
                """
                SELECT user_id, name FROM audit_name
                WHERE user_id = ANY($1::text[])
                    OR user_id = ANY(ARRAY(SELECT about FROM short_link WHERE code = ANY($2::text[])))
                ORDER BY user_id FOR UPDATE
                """,
                .texts(ids.map(\.text)),
                .texts(codes.map(\.text))
            )
        ) { ledger, rows throws(PostgresError) in
            for row in 0..<rows.count {
                let (id, name) = try rows.auditName(row)
                ledger.auditNames.read(name, of: id)
            }
        }
    }

    /// The statements that delete and add names.
    ///
    /// If another replica has added a name meanwhile, the transaction fails.
    var auditNameStatements: [Statement] {
        var statements: [Statement] = []
        let forgotten = auditNames.forgotten.map(\.text)
        if !forgotten.isEmpty {
            statements.append(Statement("DELETE FROM audit_name WHERE user_id = ANY($1::text[])", .texts(forgotten)))
        }
        let new = auditNames.new.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        if !new.isEmpty {
            statements.append(
                Statement(
                    "INSERT INTO audit_name (user_id, name) SELECT * FROM unnest($1::text[], $2::text[])",
                    .texts(new.map(\.key.text)),
                    .texts(new.map(\.value.text))
                )
            )
        }
        return statements
    }
}
