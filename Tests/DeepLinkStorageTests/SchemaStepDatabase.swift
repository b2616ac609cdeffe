import DeepLinkCore
import DeepLinkStorage
import Testing

@testable import DeepLinkPostgres

/// A PostgreSQL database as it is after all versions up to that of a step were at work with it.
struct SchemaStepDatabase {
    /// The number of steps that there are.
    static var stepCount: Int { Migrations.version }

    /// The steps whose versions wrote rows in another way than those before.
    private enum Since {
        static let (names, grants) = (3, 5)
    }

    private static let secrets = DatabaseSecrets(
        erasureKey: [UInt8](repeating: 5, count: DatabaseSecrets.byteCount)
    )

    let contents: SchemaStepContents

    /// Fills a new schema: each step is taken, and then rows are written as its version wrote them.
    init(_ fixture: PostgresFixture, upTo last: Int) async throws {
        contents = SchemaStepContents(
            lastStep: last,
            beginnings: SchemaStepContents.Beginnings(
                continuations: 1,
                tokens: 1,
                erasedUsers: 2,
                grants: Since.grants,
                counts: 6
            )
        )
        for step in 1...last {
            try await PostgresFixture.with(fixture.uri) { connection throws(PostgresError) in
                _ = try Migrations.run(connection, upTo: step)
            }
            for statement in try statements(of: step) { try await fixture.run(statement) }
        }
    }

    /// The statements that write the rows of the version of a step.
    private func statements(of step: Int) throws -> [String] {
        var statements = contents.users(of: step).flatMap { self.statements(of: $0, step: step) }
        if step == 1 {
            statements.append(
                "INSERT INTO stored_secret (name, value) VALUES ('erasures', \(Self.bytes(Self.secrets.erasureKey)))"
            )
        }
        let redemption = SchemaStepContents.redemption
        statements += [
            """
            INSERT INTO continuation (id, user_id, expires_at, is_spent)
            VALUES ('\(SchemaStepContents.continuationID(of: step))', '\(redemption.user)', \(redemption.end), true)
            """,
            """
            INSERT INTO service_token (id, digest, role, note, created_at)
            VALUES ('\(SchemaStepContents.tokenID(of: step))', sha256('x'), 'resolver', 'of step \(step)', 1)
            """,
        ]
        if step >= contents.beginnings.erasedUsers {
            let digest = Self.secrets.digest(of: try SchemaStepContents.erasedUser(of: step))
            statements.append(
                """
                INSERT INTO erased_user (digest, version, as_of, transaction_id) VALUES (\(Self.bytes(digest)), 3, 9, 1)
                """
            )
        }
        if step >= contents.beginnings.counts {
            statements.append(
                """
                INSERT INTO link_count AS one (day, route, label, outcome, count)
                VALUES (0, 'r', '', 'opened', \(SchemaStepContents.useCount))
                ON CONFLICT (day, route, label, outcome) DO UPDATE SET count = one.count + excluded.count
                """
            )
        }
        return statements
    }

    /// The statements that write a user with two changes.
    private func statements(of user: SchemaStepContents.User, step: Int) -> [String] {
        func insert(_ table: String, _ columns: [(name: String, value: String)]) -> String {
            """
            INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))
            VALUES (\(columns.map(\.value).joined(separator: ", ")))
            """
        }
        var statements: [String] = []
        for (index, rank) in user.ranks.enumerated() {
            let isLast = index == user.ranks.count - 1
            let level = level(rank, of: isLast ? user : nil, step: step)
            statements.append(
                insert(
                    "user_history",
                    [("user_id", "'\(user.name)'"), ("version", "\(index + 1)")] + level
                        + [("at", "9"), ("author", "'test'"), ("as_of", "8"), ("transaction_id", "1")]
                )
            )
        }
        guard let rank = user.ranks.last ?? nil else { return statements }
        var columns = [("id", "'\(user.name)'"), ("version", "2"), ("updated_at", "9"), ("as_of", "8")]
        columns += level(rank, of: user, step: step)
        if step >= Since.names { columns += [("named_version", "2"), ("named_level", "\(rank)")] }
        return statements + [insert("user_state", columns)]
    }

    /// The columns of a level with its end: ranks, later names beside them.
    private func level(
        _ rank: UInt8?,
        of user: SchemaStepContents.User?,
        step: Int
    ) -> [(name: String, value: String)] {
        func number(_ rank: UInt8?) -> String { rank.map { "\($0)" } ?? "NULL" }
        func name(_ rank: UInt8?) -> String {
            rank.map { "'\(LevelLadder.standard.text(of: AuthorizationLevel(rank: $0)))'" } ?? "NULL"
        }
        var columns = [
            ("level", number(rank)), ("valid_until", user?.end.map { "\($0)" } ?? "NULL"),
            ("level_after", number(user?.rankAfter)),
        ]
        if step >= Since.names {
            let implied = user?.end != nil && user?.rankAfter == nil ? rank.map { max($0, 1) - 1 } : nil
            columns += [
                ("level_name", name(rank)), ("level_after_name", name(user?.rankAfter)),
                ("implied_level_after", name(implied)),
            ]
        }
        if step >= Since.grants { columns.append(("grants", user?.grants.map { "'\($0)'" } ?? "NULL")) }
        return columns
    }

    private static func bytes(_ bytes: [UInt8]) -> String {
        "'\\x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
}
