package import DeepLinkCore
package import DeepLinkStorage
import GRDB

/// The counts of uses of links.
extension SQLiteStore {
    package func add(_ slice: CountSlice) async throws {
        _ = try await write({ database in try Self.add(slice, to: database) }, size: slice.additions.count)
    }

    package func counts(_ question: CountQuery) async throws -> [CountRow] {
        try await pool.read { database in
            let query = CountSelect(question)
            let rows = try Row.fetchCursor(database, sql: query.sql, arguments: StatementArguments(query.arguments))
            var page: [CountRow] = []
            while let row = try rows.next().map({ TableRow(row: $0, table: query.table) }) {
                let heading = try row.heading(query.columns)
                // The first row of another heading ends the page.
                guard page.count < question.limit || page.last?.heading == heading else { break }
                page.add(
                    Int(try row.number(heading.count + 1)),
                    storedAs: try row.text(heading.count),
                    under: heading
                )
            }
            return page
        }
    }

    package func dropCounts(before day: CountedDay) async throws -> Bool {
        try await write(
            { database in
                try database.execute(
                    sql: """
                        DELETE FROM link_count WHERE (day, route, label, outcome) IN (
                            SELECT day, route, label, outcome FROM link_count WHERE day < ? LIMIT ?)
                        """,
                    arguments: [day.number, LinkCountLimits.droppedCount]
                )
                return database.changesCount == LinkCountLimits.droppedCount
            },
            size: LinkCountLimits.droppedCount
        )
    }

    /// Returns whether totals of a code are stored.
    ///
    /// Codes of erased links, and of links about a user, have none.
    private static func isCounted(_ code: ByteText, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT about IS NULL FROM short_link WHERE code = ?")
        if let isAboutNobody = try Bool.fetchOne(statement, arguments: [code.string]) { return isAboutNobody }
        guard let erased = ShortLinkCode(code.string) else { return true }
        return try !ErasedShortLinkRecord.contains(erased, database)
    }

    private static func add(_ slice: CountSlice, to database: Database) throws {
        for addition in slice.additions {
            let (outcome, count) = (addition.outcome, addition.count)
            switch addition.heading {
            case .day(let day, let route, let label):
                try database.cachedStatement(
                    sql: """
                        INSERT INTO link_count (day, route, label, outcome, count) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET count = count + excluded.count
                        """
                )
                .execute(arguments: [day.number, route.string, label.string, outcome, count])
            case .code(let code):
                guard try isCounted(code, in: database) else { continue }
                try database.cachedStatement(
                    sql: """
                        INSERT INTO code_count (code, outcome, count) VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET count = count + excluded.count
                        """
                )
                .execute(arguments: [code.string, outcome, count])
            }
        }
    }
}

/// The statement that reads counts, in the order of their headings and outcomes.
private struct CountSelect {
    let table: String

    /// The first columns.
    ///
    /// An outcome and a sum follow.
    let columns: [CountQuery.Column]

    let sql: String
    let arguments: [any DatabaseValueConvertible]

    /// Creates the statement of a query.
    init(_ question: CountQuery) {
        columns = question.headings.columns
        let names = columns.map(\.name).joined(separator: ", ")
        var conditions: [String] = []
        let haveApps = question.headings.haveApps
        var arguments: [any DatabaseValueConvertible] = haveApps ? [Self.json(question.apps)] : []
        switch question.headings {
        case .days(let days, _):
            table = "link_count"
            conditions.append("day BETWEEN ? AND ?")
            arguments += [days.lowerBound.number, days.upperBound.number]
        case .codes:
            table = "code_count"
            if let codes = question.codes {
                conditions.append("code IN (\(codes.map { _ in "?" }.joined(separator: ", ")))")
                arguments += codes.map { $0.string as any DatabaseValueConvertible }
            }
        }
        if let after = question.after {
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            conditions.append("(\(names)) > (\(places))")
            for (column, text) in zip(columns, after) {
                arguments.append(column.isDay ? CountedDay(text.string)?.number ?? 0 : text.string)
            }
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        sql = """
            SELECT \(names), outcome, sum(count) FROM \(haveApps ? Self.countsWithApps : table) \(condition)
            GROUP BY \(names), outcome ORDER BY \(names), outcome
            """
        self.arguments = arguments
    }

    /// The counts of days, with the apps of their routes by an argument from ``json(_:)``.
    ///
    /// The materialized table gets an index. `json_each` itself would be read again for every count.
    private static let countsWithApps = """
        (WITH owner (route, app) AS MATERIALIZED (SELECT key, value FROM json_each(?))
            SELECT day, route, label, outcome, count, ifnull(owner.app, '') AS app
            FROM link_count LEFT JOIN owner USING (route))
        """

    /// Returns the app of each route as a JSON object.
    private static func json(_ apps: [ByteText: ByteText]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            for (route, app) in apps { writer.member(route.string, app.string) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
