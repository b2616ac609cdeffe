import DeepLinkCore
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
            while let row = try rows.next() {
                let heading = try query.parts.enumerated()
                    .map { place, part in
                        part == .day
                            ? CountedDay(number: try row.decode(Int.self, atIndex: place)).text.bytewise
                            : try row.decode(String.self, atIndex: place).bytewise
                    }
                // The first row of another heading ends the page.
                guard page.count < question.limit || page.last?.heading == heading else { break }
                let outcome = try row.decode(String.self, atIndex: heading.count)
                page.add(
                    try row.decode(Int.self, atIndex: heading.count + 1),
                    storedAs: outcome,
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
    /// The kinds of the first columns.
    ///
    /// An outcome and a sum follow.
    let parts: [Part]

    /// A kind of column.
    enum Part {
        case day, text
    }

    let sql: String
    let arguments: [any DatabaseValueConvertible]

    /// Creates the statement of a query.
    init(_ question: CountQuery) {
        let names: [String]
        let table: String
        var conditions: [String] = []
        var arguments: [any DatabaseValueConvertible] = []
        switch question.headings {
        case .days(let days, let by):
            names = by.map(\.rawValue)
            parts = by.map { $0 == .day ? .day : .text }
            table = "link_count"
            conditions.append("day BETWEEN ? AND ?")
            arguments += [days.lowerBound.number, days.upperBound.number]
        case .codes:
            names = ["code"]
            parts = [.text]
            table = "code_count"
            if let codes = question.codes {
                conditions.append("code IN (\(codes.map { _ in "?" }.joined(separator: ", ")))")
                arguments += codes.map { $0.string as any DatabaseValueConvertible }
            }
        }
        let columns = names.joined(separator: ", ")
        if let after = question.after {
            let places = names.map { _ in "?" }.joined(separator: ", ")
            conditions.append("(\(columns)) > (\(places))")
            for (part, text) in zip(parts, after) {
                arguments.append(part == .day ? CountedDay(text.string)?.number ?? 0 : text.string)
            }
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        sql = """
            SELECT \(columns), outcome, sum(count) FROM \(table) \(condition)
            GROUP BY \(columns), outcome ORDER BY \(columns), outcome
            """
        self.arguments = arguments
    }
}
