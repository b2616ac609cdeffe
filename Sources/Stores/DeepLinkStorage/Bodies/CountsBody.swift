package import DeepLinkCore
import DeepLinkFormats

/// A page of link counts: the body of `GET /v1/counts`, in JSON or as comma-separated values.
package struct CountsBody: WireBody {
    /// The outcomes in the order of the columns, with `nil` for the uses that ended at gates.
    private static let columns: [LinkOutcome?] = [
        .opened, .openedByUsers, .passed, .arrived, nil, .failed, .page, .preview, .redirected,
    ]

    /// The name of the column of uses that ended at gates.
    private static let gatesName = "gated"

    private let headings: CountQuery.Headings
    private let rows: [CountRow]
    private let next: String?

    /// The hint for links that are visited but never opened by an app.
    private static let hint = """
        Links were visited, and no app opened one. An app's requests count if they name the app (Waymark-App, `app`), or \
        have the token of an end user.
        """

    /// Creates a page of rows.
    ///
    /// `next` is the name of its last row if more follow.
    package init(_ rows: [CountRow], of headings: CountQuery.Headings, next: String?) {
        self.headings = headings
        self.rows = rows
        self.next = next
    }

    /// Writes the body as JSON, without counts of zero.
    package func write(to writer: inout JSONWriter) {
        let columns = headings.columns
        writer.object { writer in
            if case .days(let days, _) = headings {
                writer.member("since", days.lowerBound.text)
                writer.member("until", days.upperBound.text)
            }
            writer.member("rows", array: rows) { writer, row in
                writer.object { writer in
                    for (column, text) in zip(columns, row.heading) { writer.member(column.name, text.string) }
                    Self.write(row.counts, to: &writer)
                }
            }
            if let next {
                writer.member("next", next)
            } else if countsVisitsAlone {
                writer.member("hint", Self.hint)
            }
        }
    }

    /// Whether the rows count visits of links only, and no use of a link by an app.
    private var countsVisitsAlone: Bool {
        func isCounted(_ outcomes: [LinkOutcome]) -> Bool {
            rows.contains { row in outcomes.contains { row.counts[$0] > 0 } }
        }
        return isCounted([.page, .redirected]) && !isCounted([.opened, .failed])
            && rows.allSatisfy(\.counts.gated.isEmpty)
    }

    private static func write(_ counts: OutcomeCounts, to writer: inout JSONWriter) {
        for column in columns {
            if let outcome = column {
                if counts[outcome] != 0 { writer.member(outcome.rawValue, counts[outcome]) }
            } else if !counts.gated.isEmpty {
                writer.member(gatesName) { writer in
                    for (gate, count) in counts.gated.sorted(by: { $0.key < $1.key }) {
                        writer.member(gate.string, count)
                    }
                }
            }
        }
    }

    /// The page as comma-separated values (RFC 4180) with a header line.
    ///
    /// The uses that ended at gates are added up.
    package var csv: [UInt8] {
        var text = Self.line(headings.columns.map(\.name) + Self.columns.map { $0?.rawValue ?? Self.gatesName })
        for row in rows {
            let counts = Self.columns.map { $0.map { row.counts[$0] } ?? row.counts.gatedCount }
            text += Self.line(row.heading.map(\.string) + counts.map { String($0) })
        }
        return Array(text.utf8)
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// Returns a cell that spreadsheets do not take for a formula, quoted if it has a comma, a quote, or a line break.
    ///
    /// A text that begins with one of `=+-@`, a tab or a carriage return is prefixed with an apostrophe, and so is a
    /// text that has only apostrophes before one of these. Removing one apostrophe therefore always restores the text.
    private static func cell(_ text: String) -> String {
        let first = text.utf8.first { $0 != UInt8(ascii: "'") }
        let isFormula = first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        return quoted(isFormula ? "'" + text : text)
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\""
            + text.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\"\"") + "\""
    }
}

/// The name of a row of counts, after which the next page begins: an opaque text that is safe in a query.
package enum CountRowName {
    /// Returns the name of a row.
    package static func text(_ heading: CountRow.Heading) -> String {
        var writer = JSONWriter()
        writer.array(heading) { $0.string($1.string) }
        return Base64URL.encode(writer.bytes)
    }

    /// Parses the name of a row, or returns `nil` if the text does not match the headings.
    package static func heading(_ text: String, of headings: CountQuery.Headings) -> CountRow.Heading? {
        guard let bytes = Base64URL.decode(text.utf8), case .array(let items)? = try? JSONParser.parse(bytes) else {
            return nil
        }
        let heading = items.compactMap { item in
            if case .string(let text) = item { text.bytewise } else { nil }
        }
        let columns = headings.columns
        guard heading.count == items.count, heading.count == columns.count,
            zip(columns, heading).allSatisfy({ !$0.isDay || CountedDay($1.string) != nil })
        else { return nil }
        return heading
    }
}
