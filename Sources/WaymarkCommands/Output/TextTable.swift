/// Lays rows out in columns for a terminal; the last column is as long as it likes.
struct TextTable {
    private var rows: [[String]] = []

    /// Adds a row; its cells are as many as those of the other rows.
    mutating func append(_ cells: [String]) { rows.append(cells) }

    /// The rows as lines, without spaces at their ends.
    var lines: [String] {
        let widths = rows.reduce(into: [Int]()) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            let padded = zip(row, widths)
                .map { cell, width in
                    cell + String(repeating: " ", count: width - cell.count)
                }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
