package import DeepLinkStorage
import GRDB

/// The results of checking short links.
extension SQLiteStore: ShortLinkCheckStore {
    /// Returns a turn without an end: a file has one server.
    package func takeCheckTurn(
        _ turn: ShortLinkCheckTurn?,
        for duration: Duration
    ) async throws -> ShortLinkCheckTurn? { turn ?? ShortLinkCheckTurn(end: .max) }

    package func shortLinkChecks() throws -> [ShortLinkCheck] {
        try read { [linkTexts] database in
            let select = try database.cachedStatement(sql: "SELECT shape, grounds, broken FROM short_link_check")
            return try Row.fetchAll(select)
                .map { row in
                    ShortLinkCheck(
                        shape: ShortLinkShape(
                            text: try linkTexts.text(row.decode(Int64.self, atIndex: 0), kind: .shape, database)
                        ),
                        grounds: try row.decode(Int64.self, atIndex: 1),
                        brokenCount: try row.decode(Int.self, atIndex: 2)
                    )
                }
        }
    }

    package func keep(_ check: ShortLinkCheck) async throws {
        try await write { database in
            // A value of its own, as in every change.
            guard let shape = try ShortLinkTexts().number(of: check.shape.text, kind: .shape, database) else { return }
            try database.cachedStatement(
                sql: "REPLACE INTO short_link_check (shape, grounds, broken) VALUES (?, ?, ?)"
            )
            .execute(arguments: [shape, check.grounds, check.brokenCount])
        }
    }
}
