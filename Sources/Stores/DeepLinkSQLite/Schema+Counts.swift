import GRDB

extension Schema {
    /// Adds the counts of uses of links: by day, route, label and outcome, and by code and outcome.
    ///
    /// A count decides nothing, so its rows have no checksum: adding to one stays a single statement.
    static func addCounts(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE link_count (
                    day INTEGER NOT NULL, -- since 1970-01-01
                    route TEXT NOT NULL, -- '': the link leads nowhere
                    label TEXT NOT NULL, -- '': no short link, or one without a label
                    outcome TEXT NOT NULL,
                    count INTEGER NOT NULL CHECK (count >= 1),
                    PRIMARY KEY (day, route, label, outcome)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE code_count (
                    code TEXT NOT NULL,
                    outcome TEXT NOT NULL,
                    count INTEGER NOT NULL CHECK (count >= 1),
                    PRIMARY KEY (code, outcome)
                ) STRICT, WITHOUT ROWID;
                """
        )
    }
}
