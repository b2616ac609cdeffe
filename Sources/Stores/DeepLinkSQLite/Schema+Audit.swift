import GRDB

extension Schema {
    /// Adds the names of users in the audit log, and the day on which a service token was last used.
    ///
    /// That day decides nothing, so the checksum of a token doesn't cover it.
    static func addAudit(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE audit_name (
                    user_id TEXT NOT NULL PRIMARY KEY CHECK (length(CAST(user_id AS BLOB)) BETWEEN 1 AND 256),
                    name TEXT NOT NULL UNIQUE CHECK (length(name) = 26),
                    checksum INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;

                ALTER TABLE service_token ADD COLUMN last_used INTEGER
                    CHECK (last_used BETWEEN 0 AND 2932896); -- in days since 1970-01-01
                """
        )
    }
}
