import DeepLinkFormats

/// The rows of a CSV file, below its header.
struct CSVTable {
    /// A row of the table.
    enum Row {
        /// The fields of a row, at most as many as the columns.
        case fields(CSVRow)

        /// A malformed row: its line, and the fault as a sentence.
        case malformed(line: Int, message: String)
    }

    /// The names of the columns.
    let header: CSVHeader

    private var rows: CSVRows

    /// Reads the header of a file.
    ///
    /// - Throws: ``CommandError`` of code 65 if it is missing or malformed, and of code 69 if the file cannot be read.
    init(_ pieces: InputPieces) throws(CommandError) {
        rows = CSVRows(pieces)
        switch try rows.next() {
        case .whole(let row)?: header = CSVHeader(row)
        case .malformed(let fault)?:
            throw CommandError.badData("\(pieces.name):\(fault.line): \(fault.message)")
        case nil: throw CommandError.badData("\(pieces.name) has no row.")
        }
    }

    /// The contents of the file.
    var pieces: InputPieces { rows.pieces }

    /// Reads the next row that has any text, or returns `nil` at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next() throws(CommandError) -> Row? {
        while let row = try rows.next() {
            switch row {
            case .malformed(let fault): return .malformed(line: fault.line, message: fault.message)
            case .whole(let row) where row.isBlank: continue
            case .whole(let row) where row.count > header.count:
                return .malformed(
                    line: row.line,
                    message: "The row has \(row.count) fields, the first row \(header.count). "
                        + "A field with a separator in it stands in quotation marks."
                )
            case .whole(let row): return .fields(row)
            }
        }
        return nil
    }

    /// Reads the next row that has any text, or returns `nil` at the end.
    ///
    /// A malformed row is an error.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the line at fault, and of code 69 if the file cannot be read.
    mutating func nextFields() throws(CommandError) -> CSVRow? {
        switch try next() {
        case .fields(let row)?: return row
        case .malformed(let line, let message)?:
            throw CommandError.badData("\(pieces.name):\(line): \(message)")
        case nil: return nil
        }
    }

    /// Lists the columns that are ignored on standard error, in one line, so that a misspelled column is noticed.
    func tellUnread(besides columns: [Int]) {
        let names = header.names.enumerated().filter { !columns.contains($0.offset) }.prefix(20)
            .map { "`\($0.element.truncated(toByteCount: 40))`" }
        guard !names.isEmpty else { return }
        StandardError.print(
            "waymark: \(pieces.name): not read \(names.count == 1 ? "is the column" : "are the columns") "
                + names.joined(separator: ", ")
        )
    }

    /// Returns the column with one of the given names.
    ///
    /// - Throws: ``CommandError`` of code 65 that lists the columns of the file.
    func column(_ name: String, _ others: String...) throws(CommandError) -> Int {
        if let column = header.column(named: [name] + others) { return column }
        // The first row of another kind of file can have any length.
        let names = header.names.prefix(20).map { "`\($0.truncated(toByteCount: 40))`" }.joined(separator: ", ")
        throw CommandError.badData(
            "\(pieces.name) has no column `\(name)`: its first row has \(names). Name the columns there."
        )
    }
}

/// The rows of a CSV file.
private struct CSVRows {
    private(set) var pieces: InputPieces
    private var splitter = CSVSplitter()
    private var isAtEnd = false

    init(_ pieces: InputPieces) { self.pieces = pieces }

    mutating func next() throws(CommandError) -> CSVSplitter.Row? {
        while !isAtEnd {
            if let row = splitter.next() { return row }
            let piece = try pieces.next()
            guard piece.isEmpty else {
                splitter.append(piece)
                continue
            }
            // The rest may hold a row, and before it bytes that looked like a byte order mark.
            isAtEnd = true
        }
        return splitter.last()
    }
}
