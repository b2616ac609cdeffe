/// Rows laid out in columns for a terminal; the last column is as long as it likes.
struct TextTable {
    private var rows: [[String]] = []

    /// Adds a row; its cells are as many as those of the other rows.
    mutating func append(_ cells: [String]) { rows.append(cells) }

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
                    // Spaces stand before a cell alone, so that none stand at the end.
                    line += String(repeating: " ", count: gap) + cell
                    gap = 0
                }
                gap += width - Self.width(cell) + 2
            }
            return line
        }
    }

    /// Returns how many characters a cell has; most have as many as bytes.
    private static func width(_ cell: String) -> Int {
        cell.utf8.allSatisfy { $0 < 0x80 } ? cell.utf8.count : cell.count
    }
}
