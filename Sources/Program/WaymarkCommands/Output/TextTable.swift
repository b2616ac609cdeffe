import DeepLinkFormats

/// Rows in columns for a terminal, without control characters; the last column has any width.
struct TextTable {
    private var rows: [[String]] = []

    /// Adds a row, with as many cells as the other rows.
    mutating func append(_ cells: [String]) { rows.append(cells.map(TerminalText.line)) }

    /// The rows as lines, without spaces at their ends.
    var lines: [String] {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], Self.width(cell))
            }
        }
        return rows.map { row in
            var (line, gap) = ("", 0)
            for (cell, width) in zip(row, widths) {
                if !cell.isEmpty {
                    // Spaces are only added before a cell, so that none are at the end.
                    line += String(repeating: " ", count: gap) + cell
                    gap = 0
                }
                gap += width - Self.width(cell) + 2
            }
            return line
        }
    }

    /// Returns the number of characters of a cell; most have as many as bytes.
    private static func width(_ cell: String) -> Int {
        cell.utf8.allSatisfy { $0 < 0x80 } ? cell.utf8.count : cell.count
    }
}
