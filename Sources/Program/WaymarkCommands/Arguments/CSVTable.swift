import DeepLinkFormats

/// The rows of a file of comma-separated values, below the row that names its columns.
struct CSVTable {
    /// A row of the table.
    enum Row {
        /// The fields of a row, no more than there are columns.
        case fields(CSVRow)

        /// The line of a row that cannot be read, and the fault in a sentence.
        case malformed(line: Int, message: String)
    }

    /// The names of the columns.
    let header: CSVHeader

    private var rows: CSVRows

    /// Reads the first row of a file.
    ///
    /// - Throws: ``CommandError`` of code 65 if there is none, or it cannot be read; of code 69 if the file cannot.
    init(_ pieces: InputPieces) throws(CommandError) {
        rows = CSVRows(pieces)
        switch try rows.next() {
        case .whole(let row)?: header = CSVHeader(row)
        case .malformed(let fault)?:
            throw CommandError(.badData, message: "\(pieces.name):\(fault.line): \(fault.message)")
        case nil: throw CommandError(.badData, message: "\(pieces.name) has no row.")
        }
    }

    /// The contents of the file.
    var pieces: InputPieces { rows.pieces }

    /// Reads the next row that has any text; `nil` at the end.
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

    /// Reads the next row that has any text, none of which may be malformed; `nil` at the end.
    ///
    /// - Throws: ``CommandError`` of code 65, naming the line at fault; of code 69 if the file cannot be read.
    mutating func nextFields() throws(CommandError) -> CSVRow? {
        switch try next() {
        case .fields(let row)?: return row
        case .malformed(let line, let message)?:
            throw CommandError(.badData, message: "\(pieces.name):\(line): \(message)")
        case nil: return nil
        }
    }

    /// Tells people on standard error which columns are not read, in a line; a misspelled one is among them.
    func tellUnread(besides columns: [Int]) {
        let names = header.names.enumerated().filter { !columns.contains($0.offset) }.prefix(20)
            .map { "`\($0.element.truncated(toByteCount: 40))`" }
        guard !names.isEmpty else { return }
        StandardError.print(
            "waymark: \(pieces.name): not read \(names.count == 1 ? "is the column" : "are the columns") "
                + names.joined(separator: ", ")
        )
    }

    /// Returns the column of a name, or of one that stands for it.
    ///
    /// - Throws: ``CommandError`` of code 65 with the names that there are.
    func column(_ name: String, _ others: String...) throws(CommandError) -> Int {
        if let column = header.column(named: [name] + others) { return column }
        // A file of another kind has a first row of any length.
        let names = header.names.prefix(20).map { "`\($0.truncated(toByteCount: 40))`" }.joined(separator: ", ")
        throw CommandError(
            .badData,
            message: "\(pieces.name) has no column `\(name)`: its first row has \(names). Name the columns there."
        )
    }
}

/// The rows of a file of comma-separated values.
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
            // The rest may hold a row and, before it, what looked like a byte order mark.
            isAtEnd = true
        }
        return splitter.last()
    }
}
