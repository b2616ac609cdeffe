import DeepLinkCore
import DeepLinkFormats
import Foundation

/// The input file of a command; `-` is standard input.
package enum InputFile {
    /// Returns the file's name for messages.
    static func name(_ path: String) -> String { path.bytewise == "-" ? "standard input" : path }

    /// Splits a file into lines with their numbers, from 1, without a byte order mark and carriage returns.
    static func lines(_ bytes: [UInt8]) -> [(number: Int, line: ArraySlice<UInt8>)] {
        let mark = Array("\u{FEFF}".utf8)
        return (bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...])
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset + 1, $0.element.last == UInt8(ascii: "\r") ? $0.element.dropLast() : $0.element) }
    }

    /// Reads the whole file.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read.
    package static func read(_ path: String) throws(CommandError) -> [UInt8] {
        func unreadable(_ reason: Int32) -> CommandError {
            CommandError.unavailable("cannot read \(name(path)): \(String(cString: strerror(reason))).")
        }
        guard path.bytewise != "-" else { return try contents(of: .standardInput, or: unreadable(EIO)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        let isFolder = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return try contents(of: file, or: unreadable(isFolder ? EISDIR : EIO))
    }

    private static func contents(of file: FileHandle, or failure: CommandError) throws(CommandError) -> [UInt8] {
        do {
            return Array(try file.readToEnd() ?? Data())
        } catch {
            throw failure
        }
    }
}

/// The nonempty lines of a file, which is read in pieces.
struct InputLines {
    private(set) var pieces: InputPieces

    private var splitter: LineSplitter
    private var isAtEnd = false

    /// Creates a reader of lines that have at most the given number of bytes.
    init(_ pieces: InputPieces, maximumByteCount: Int) {
        self.pieces = pieces
        splitter = LineSplitter(maximumByteCount: maximumByteCount)
    }

    /// The number of the line that was read last, from 1.
    var lineNumber: Int { splitter.lineNumber }

    /// Reads the next line, or returns `nil` at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next() throws(CommandError) -> LineSplitter.Line? {
        while !isAtEnd {
            if let line = splitter.next() { return line }
            let piece = try pieces.next()
            isAtEnd = piece.isEmpty
            if isAtEnd { return splitter.last() }
            splitter.append(piece)
        }
        return nil
    }
}

/// Comma-separated values, as spreadsheets write them.
enum CSVFile {
    private static let separators = Array(",;\t".utf8)

    /// Refuses a CSV file where a command reads none, with the command that converts each row to a JSON object.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - name: Its name in messages.
    ///   - members: The members of a JSON object that the columns should be named after, as text.
    /// - Throws: ``CommandError`` of code 65.
    static func refuse(_ bytes: [UInt8], named name: String, members: String) throws(CommandError) {
        guard isCSV(bytes, named: name) else { return }
        throw CommandError(
            .badData,
            message: """
                \(name) is a CSV file; send a JSON object a line. Call its columns \(members), and turn it into one:
                python3 -c 'import csv, json, sys; [print(json.dumps({k: v for k, v in row.items() if v})) for row in \
                csv.DictReader(sys.stdin)]' < file.csv > file.ndjson
                """
        )
    }

    /// Returns whether a file is CSV.
    ///
    /// Its first row has several cells, and the first cell is neither a link nor JSON. If the file's name ends in
    /// `.csv` or `.tsv`, any first row counts but a single link or JSON.
    static func isCSV(_ bytes: [UInt8], named name: String) -> Bool {
        let rows = InputFile.lines(bytes).lazy.map { $0.line.drop { $0 == 0x20 || $0 == 0x09 } }
        guard let row = rows.first(where: { !$0.isEmpty && $0.first != UInt8(ascii: "#") }),
            row.first != UInt8(ascii: "{"), row.first != UInt8(ascii: "["), !row.starts(with: "- ".utf8)
        else { return false }
        let cells = row.split(maxSplits: 1, omittingEmptySubsequences: false) { separators.contains($0) }
        let isLink = cells.first?.contains(UInt8(ascii: ":")) ?? false
        let isCalledSo = [".csv", ".tsv"].contains { name.lowercased().utf8.suffix(4).elementsEqual($0.utf8) }
        return isCalledSo ? cells.count > 1 || !isLink : cells.count > 1 && !isLink
    }
}
