import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import Foundation

/// A file of links that were opened, read piece by piece: a list with counts, the cases of `waymark check`, or a
/// resolution log.
struct RecordedLinkFile {
    /// The bytes that are read at once.
    private static let pieceByteCount = 1 << 20

    /// The longest line that is read.
    private static let maximumLineByteCount = 1 << 20

    private let name: String
    private var lineNumber = 0

    /// Replays every link of a file, with a bar on terminals.
    ///
    /// - Throws: ``CommandError`` of code 65 for a line that is malformed, 69 where the file cannot be read.
    static func replay(_ path: String, into comparison: inout CatalogComparison) throws(CommandError) {
        let name = InputFile.name(path)
        let endings = [".yaml", ".yml"]
        if endings.contains(where: { name.lowercased().utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
            for one in try LinkCaseFile.read(try InputFile.read(path), named: name) {
                comparison.replay(recorded: Array(one.link.utf8), opens: 1)
            }
            return
        }
        var file = RecordedLinkFile(name: name)
        try file.stream(path, into: &comparison)
    }

    private init(name: String) {
        self.name = name
    }

    private mutating func stream(_ path: String, into comparison: inout CatalogComparison) throws(CommandError) {
        let handle = path.bytewise == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle else { throw CommandError(.unavailable, "cannot read \(name).") }
        var status = stat()
        let size = fstat(handle.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
        var progress = ProgressBar(total: size)
        var (done, rest) = (0, [UInt8]())
        while true {
            let piece: [UInt8]
            do {
                piece = Array(try handle.read(upToCount: Self.pieceByteCount) ?? Data())
            } catch {
                throw CommandError(.unavailable, "cannot read \(name).")
            }
            guard !piece.isEmpty else { break }
            rest += piece
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                try take(rest[start..<end], into: &comparison)
                start = end + 1
            }
            rest.removeSubrange(..<start)
            guard rest.count <= Self.maximumLineByteCount else {
                throw CommandError(
                    .badData,
                    "\(name):\(lineNumber + 1) has more than \(Self.maximumLineByteCount) bytes."
                )
            }
            done += piece.count
            if size > 0 { progress.update(min(done, size)) }
        }
        if !rest.isEmpty { try take(rest[...], into: &comparison) }
        progress.finish()
    }

    private mutating func take(
        _ line: ArraySlice<UInt8>,
        into comparison: inout CatalogComparison
    ) throws(CommandError) {
        lineNumber += 1
        var line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        if lineNumber == 1, line.starts(with: "\u{FEFF}".utf8) { line = line.dropFirst(3) }
        line = line.drop(while: Self.isSpace)
        while let last = line.last, Self.isSpace(last) { line = line.dropLast() }
        guard let first = line.first, first != UInt8(ascii: "#") else { return }
        if first == UInt8(ascii: "{") {
            let (link, opens) = try member(of: line)
            if let link { comparison.replay(recorded: link, opens: opens) }
            return
        }
        let (link, opens) = Self.columns(of: line)
        comparison.replay(recorded: Array(link), opens: opens)
    }

    /// Cuts a line into the link and the count in its last column.
    private static func columns(of line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int) {
        let digits = line.reversed().prefix { $0 >= 0x30 && $0 <= 0x39 }.count
        let head = line.dropLast(digits)
        guard digits > 0, let last = head.last, isSpace(last),
            let count = DecimalText.parseInt(Array(line.suffix(digits)))
        else { return (line, 1) }
        var link = head
        while let last = link.last, isSpace(last) { link = link.dropLast() }
        return link.isEmpty ? (line, 1) : (link, count)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Reads the link of a JSON object, and its count; no link, where the line is about something else.
    private func member(of line: ArraySlice<UInt8>) throws(CommandError) -> ([UInt8]?, Int) {
        guard case .object(let members) = try JSONInput.parse(Array(line), named: "\(name):\(lineNumber)") else {
            return (nil, 1)
        }
        var opens = 1
        if case .integer(let count)? = members["count"], count > 0 { opens = count }
        guard case .string(let link)? = members["link"] else { return (nil, opens) }
        return (Array(link.utf8), opens)
    }
}
