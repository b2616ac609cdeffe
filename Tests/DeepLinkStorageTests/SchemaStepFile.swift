import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Testing

@testable import DeepLinkSQLite

/// A database file as it is after all versions up to that of a step were at work with it.
struct SchemaStepFile {
    /// The number of steps that there are.
    static var stepCount: Int { Schema.migrator.migrations.count }

    /// The steps whose versions wrote rows in another way than those before.
    private enum Since {
        static let (checksums, timestamps, names) = (4, 5, 7)
    }

    let path: String

    let contents: SchemaStepContents

    /// Makes a file: each step is taken, and then rows are written as its version wrote them.
    init(_ path: String, upTo last: Int) throws {
        self.path = path
        contents = SchemaStepContents(
            lastStep: last,
            beginnings: SchemaStepContents.Beginnings(
                continuations: 2,
                tokens: 3,
                erasedUsers: 5,
                grants: 9,
                counts: 10
            )
        )
        let queue = try DatabaseQueue(path: path)
        for (index, name) in Schema.migrator.migrations.prefix(last).enumerated() {
            try Schema.migrator.migrate(queue, upTo: name)
            try queue.write { try write($0, step: index + 1) }
        }
        try queue.close()
    }

    /// Writes the rows of the version of a step.
    private func write(_ database: Database, step: Int) throws {
        for user in contents.users(of: step) { try write(user, step: step, database) }
        let (id, beginnings) = (SchemaStepContents.continuationID(of: step), contents.beginnings)
        if step >= beginnings.continuations {
            let redemption = SchemaStepContents.redemption
            let columns: [(String, (any DatabaseValueConvertible)?)] = [
                ("id", id), ("user_id", redemption.user), ("expires_at", redemption.end), ("is_spent", 1),
            ]
            try insert(into: "continuation", columns, step: step, database)
        }
        if step >= beginnings.tokens {
            let columns: [(String, (any DatabaseValueConvertible)?)] = [
                ("id", SchemaStepContents.tokenID(of: step)), ("digest", Data(repeating: 7, count: 32)),
                ("role", "resolver"), ("note", "of step \(step)"), ("created_at", 1), ("expires_at", nil),
                ("revoked_at", nil),
            ]
            try insert(into: "service_token", columns, step: step, database)
            if step >= Since.checksums {
                let count = try Int64.fetchOne(database, sql: "SELECT count(*) FROM service_token") ?? 0
                try StoredNumber.serviceTokens.set(count, in: database)
            }
        }
        if step >= beginnings.erasedUsers {
            let digest = try ErasedUserRecord.digest(of: SchemaStepContents.erasedUser(of: step), database)
            let mark = ErasedUserRecord.Mark(version: 3, asOf: Timestamp(millisecondsSinceEpoch: 9))
            try ErasedUserRecord.note(mark, ofDigest: digest, in: database)
        }
        if step >= beginnings.counts {
            try database.execute(
                sql: """
                    INSERT INTO link_count (day, route, label, outcome, count) VALUES (0, 'r', '', 'opened', :count)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """,
                arguments: ["count": SchemaStepContents.useCount]
            )
        }
    }

    /// Writes a user with two changes.
    private func write(_ user: SchemaStepContents.User, step: Int, _ database: Database) throws {
        for (index, rank) in user.ranks.enumerated() {
            let isLast = index == user.ranks.count - 1
            var columns: [(String, (any DatabaseValueConvertible)?)] = [
                ("user_id", user.name), ("version", index + 1),
            ]
            let level = self.level(rank, of: isLast ? user : nil, step: step)
            columns += step < Since.checksums ? Array(level.prefix(1)) : level
            columns += [("at", 9), ("author", "test")]
            let later: [(String, (any DatabaseValueConvertible)?)] =
                (step >= Since.timestamps ? [("as_of", 8)] : []) + grants(of: isLast ? user : nil, step: step)
            try insert(into: "user_history", columns, later, step: step, database)
        }
        guard let rank = user.ranks.last ?? nil else { return }
        let columns: [(String, (any DatabaseValueConvertible)?)] =
            [("id", user.name)] + level(rank, of: user, step: step) + [
                ("version", user.ranks.count), ("updated_at", 9),
            ]
        let later: [(String, (any DatabaseValueConvertible)?)] =
            (step >= Since.timestamps ? [("as_of", 8)] : []) + grants(of: user, step: step)
        try insert(into: "user_state", columns, later, step: step, database)
    }

    /// The columns of a level with its end: ranks, later names, with the level after the end that nobody wrote.
    private func level(
        _ rank: UInt8?,
        of user: SchemaStepContents.User?,
        step: Int
    ) -> [(String, (any DatabaseValueConvertible)?)] {
        func value(_ rank: UInt8?) -> (any DatabaseValueConvertible)? {
            guard step >= Since.names else { return rank.map { Int64($0) } }
            return rank.map { LevelLadder.standard.text(of: AuthorizationLevel(rank: $0)) }
        }
        let implied = user?.end != nil && user?.rankAfter == nil ? rank.map { max($0, 1) - 1 } : nil
        return [("level", value(rank)), ("valid_until", user?.end), ("level_after", value(user?.rankAfter))]
            + (step >= Since.names ? [("implied_level_after", value(implied))] : [])
    }

    private func grants(
        of user: SchemaStepContents.User?,
        step: Int
    ) -> [(String, (any DatabaseValueConvertible)?)] {
        step >= contents.beginnings.grants ? [("grants", user?.grants)] : []
    }

    /// Inserts a row with its checksum, if there are any in the time of the step.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: The columns that every checksum covers, in their order.
    ///   - later: The columns of later steps, which checksums cover where there is a value.
    ///   - step: The step.
    ///   - database: The database.
    /// - Throws: An error of SQLite.
    private func insert(
        into table: String,
        _ columns: [(String, (any DatabaseValueConvertible)?)],
        _ later: [(String, (any DatabaseValueConvertible)?)] = [],
        step: Int,
        _ database: Database
    ) throws {
        var values = (columns + later).map { ($0.0, $0.1?.databaseValue ?? .null) }
        if step >= Since.checksums {
            var checksum = RowChecksum(table: table)
            for (index, value) in values.enumerated() where index < columns.count || !value.1.isNull {
                value.1.add(to: &checksum)
            }
            values.append(("checksum", checksum.value.databaseValue))
        }
        let names = values.map(\.0).joined(separator: ", ")
        let places = values.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            sql: "INSERT INTO \(table) (\(names)) VALUES (\(places))",
            arguments: StatementArguments(values.map(\.1))
        )
    }
}
