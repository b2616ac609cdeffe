import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The rows of a file of short links, in the format of the previous service.
enum ImportSource {
    /// A table of codes and links, with the conversion to short links.
    case table(CSVTable, ImportColumns, ImportedLinks)

    /// The lines of an export by this program.
    case lines(RecordLines)

    /// Reads the outcomes of at most the given number of rows.
    ///
    /// The result is empty at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next(_ count: Int) throws(CommandError) -> [ImportedLinks.Outcome] {
        var outcomes: [ImportedLinks.Outcome] = []
        switch self {
        case .table(var table, let columns, let links):
            let time = SystemClock.now()
            while outcomes.count < count, let row = try table.next() {
                switch row {
                case .fields(let row): outcomes.append(links.outcome(of: columns.row(row), at: time))
                case .malformed(let line, let message):
                    outcomes.append(.refused(ImportRefusal(malformed: line, message: message)))
                }
            }
            self = .table(table, columns, links)
        case .lines(var lines):
            while outcomes.count < count, let outcome = try lines.next() { outcomes.append(outcome) }
            self = .lines(lines)
        }
        return outcomes
    }

    var pieces: InputPieces {
        switch self {
        case .table(let table, _, _): table.pieces
        case .lines(let lines): lines.pieces
        }
    }
}

/// The lines of an export by this program.
struct RecordLines {
    private var lines: InputLines

    init(_ pieces: InputPieces) {
        lines = InputLines(pieces, maximumByteCount: ShortLinkRecordLine.maximumByteCount)
    }

    var pieces: InputPieces { lines.pieces }

    /// Reads the outcome of the next line, or returns `nil` at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next() throws(CommandError) -> ImportedLinks.Outcome? {
        try lines.next().map { outcome(of: $0) }
    }

    private func outcome(of line: LineSplitter.Line) -> ImportedLinks.Outcome {
        let number = lines.lineNumber
        func refused(_ message: String) -> ImportedLinks.Outcome {
            .refused(ImportRefusal(malformed: number, message: message))
        }
        guard case .whole(let bytes) = line else {
            return refused("The line has more than \(ShortLinkRecordLine.maximumByteCount) bytes.")
        }
        do throws(Problem) {
            let record = try ShortLinkRecordLine(bytes)
            let write = ShortLinkWrite(
                code: .given(record.code, kind: record.kind),
                naming: record.naming,
                contents: record.contents,
                withdrawal: record.contents.isWithdrawn ? .withdrawn : .unspecified,
                precondition: .absent,
                time: record.createdAt,
                author: record.author
            )
            return .link(ImportedLink(write: write, line: number, link: record.contents.target.text))
        } catch {
            return refused(error.detail)
        }
    }
}
