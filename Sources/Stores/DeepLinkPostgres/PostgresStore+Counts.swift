package import DeepLinkCore
package import DeepLinkStorage

/// The counts of uses of links, to which any number of replicas add.
extension PostgresStore {
    /// Adds a batch in one statement that also inserts its mark.
    ///
    /// A batch that is sent again after a lost response adds nothing.
    package func add(_ slice: CountSlice) async throws {
        try await pages.run(CountRows(slice.additions).insertion(marked: slice.id, secrets))
    }

    package func counts(_ question: CountQuery) async throws -> [CountRow] {
        let query = CountSelect(question)
        return try await counting.run { connection throws(PostgresError) in
            let rows = try connection.run(query.statement)
            var page: [CountRow] = []
            for row in rows {
                let heading = try row.heading(query.columns)
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
        try await pages.run { connection throws(PostgresError) in
            let dropped = try connection.run(
                """
                DELETE FROM link_count WHERE (day, route, label, outcome) IN (
                    SELECT day, route, label, outcome FROM link_count WHERE day < $1::integer LIMIT $2::bigint)
                RETURNING day
                """,
                .number(Int64(day.number)),
                .number(Int64(LinkCountLimits.droppedCount))
            )
            return dropped.count == LinkCountLimits.droppedCount
        }
    }
}

/// The statement that reads a page of counts, in the order of their headings and outcomes.
private struct CountSelect {
    /// The first columns.
    ///
    /// An outcome and a sum follow.
    let columns: [CountQuery.Column]

    let statement: Statement

    /// Creates the statement of a query.
    init(_ question: CountQuery) {
        columns = question.headings.columns
        let names = columns.map(\.name).joined(separator: ", ")
        var table: String
        var conditions: [String] = []
        var values: [SQLValue] = [.number(Int64(question.limit))]
        switch question.headings {
        case .days(let days, _):
            table = "link_count"
            values += [.number(Int64(days.lowerBound.number)), .number(Int64(days.upperBound.number))]
            conditions.append("day BETWEEN $2::integer AND $3::integer")
            if question.headings.haveApps {
                table = Self.countsWithApps
                values += [.texts(question.apps.keys.map(\.string)), .texts(question.apps.values.map(\.string))]
            }
        case .codes:
            table = "code_count"
            if let codes = question.codes {
                values.append(.texts(codes.map(\.string)))
                conditions.append("code = ANY ($2::text[])")
            }
        }
        let range = conditions
        if let after = question.after {
            var places: [String] = []
            for (column, text) in zip(columns, after) {
                values.append(
                    column.isDay ? .number(Int64(CountedDay(text.string)?.number ?? 0)) : .text(text.string)
                )
                places.append("$\(values.count)::\(column.isDay ? "integer" : "text")")
            }
            conditions.append("(\(names)) > (\(places.joined(separator: ", ")))")
        }
        let (some, all) = (Self.condition(conditions), Self.condition(range))
        statement = Statement(
            """
            WITH page AS (SELECT DISTINCT \(names) FROM \(table) \(some) ORDER BY \(names) LIMIT $1::bigint)
            SELECT \(names), outcome, sum(count)::bigint FROM \(table) JOIN page USING (\(names)) \(all)
            GROUP BY \(names), outcome ORDER BY \(names), outcome
            """,
            values: values
        )
    }

    /// The counts of days, with the apps of their routes by the parameters `$4` and `$5`.
    private static let countsWithApps = """
        (SELECT day, route, label, outcome, count, coalesce(owner.app, '') COLLATE "C" AS app
            FROM link_count LEFT JOIN unnest($4::text[], $5::text[]) AS owner (route, app) USING (route)) AS counted
        """

    private static func condition(_ parts: [String]) -> String {
        parts.isEmpty ? "" : "WHERE " + parts.joined(separator: " AND ")
    }
}
