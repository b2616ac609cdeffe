import DeepLinkCore
import DeepLinkFormats
import Foundation

/// Rows in columns for a terminal, without control characters.
///
/// The width of the last column is unlimited.
struct TextTable {
    private var rows: [[String]] = []

    /// Creates a table of rows, with the same number of cells each.
    init(_ rows: [[String]] = []) {
        for row in rows { append(row) }
    }

    /// Creates a table of the destinations of a stack, with their parameters.
    init(stack: [Destination]) {
        self.init(
            stack.map { destination in
                let parameters = destination.parameters.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
                return [destination.route, destination.presentation.name, parameters]
            }
        )
    }

    /// Adds a row, with as many cells as the other rows.
    mutating func append(_ cells: [String]) { rows.append(cells.map(TerminalText.line)) }

    /// Prints all rows in one call.
    ///
    /// Each call takes the lock of standard output, and a list may have millions of lines.
    func printPage() { Swift.print(lines.map { $0 + "\n" }.joined(), terminator: "") }

    /// Returns the lines with a name before the first, and spaces before the others.
    func lines(named name: String, width: Int) -> [String] {
        lines.enumerated().map { ($0.offset == 0 ? name : "").padded(to: width) + $0.element }
    }

    /// The rows as lines, without trailing spaces.
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
                    // Spaces are only added before a cell, so that there are none at the end.
                    line += String(repeating: " ", count: gap) + cell
                    gap = 0
                }
                gap += width - Self.width(cell) + 2
            }
            return line
        }
    }

    /// Returns the number of characters of a cell.
    ///
    /// ASCII cells, which most are, have as many as bytes.
    private static func width(_ cell: String) -> Int {
        cell.utf8.allSatisfy { $0 < 0x80 } ? cell.utf8.count : cell.count
    }
}

extension String {
    /// Returns the text with spaces after it.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - utf8.count)) }
}

extension Int {
    /// Returns the number with a noun, in the plural unless it is one: `1 user`, `2 users`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

/// A progress bar for a long operation on a terminal.
///
/// Elsewhere it shows nothing.
struct ProgressBar {
    private static let width = 40

    private let total: Int
    private let isShown: Bool
    private var shownPercent = -1

    /// Creates a bar for a number of steps.
    init(total: Int) {
        self.total = max(1, total)
        isShown = isatty(FileHandle.standardError.fileDescriptor) == 1
    }

    /// Sets the number of completed steps.
    ///
    /// The bar is drawn only when the percentage changes.
    mutating func update(_ done: Int) {
        let percent = done * 100 / total
        guard isShown, percent != shownPercent else { return }
        shownPercent = percent
        let filled = done * Self.width / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        write("\r\(bar) \(percent) %")
    }

    /// Removes the bar from the terminal.
    func finish() {
        if isShown, shownPercent >= 0 { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
