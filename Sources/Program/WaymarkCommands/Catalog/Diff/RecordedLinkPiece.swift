import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats

struct RecordedLink: Sendable {
    let bytes: [UInt8]

    /// The number of opens.
    var opens = 1

    /// Whether it comes from a resolution log, which has one line for each open.
    var isLogged = false
}

/// Whole lines of a file of recorded links, or whole entries of a YAML list.
struct RecordedLinkPiece: Sendable {
    let bytes: [UInt8]

    /// The number of the first line in the file, from 1.
    let firstLine: Int

    let isYAML: Bool

    /// Reads the links with their numbers of opens.
    ///
    /// Messages name the file.
    func links(of name: String) -> Result<[RecordedLink], CommandError> {
        Result { () throws(CommandError) in
            guard !isYAML else {
                return try LinkCaseFile.yaml(bytes, named: name, from: firstLine)
                    .map { RecordedLink(bytes: Array($0.link.utf8)) }
            }
            var links: [RecordedLink] = []
            var (start, number) = (bytes.startIndex, firstLine)
            if number == 1, bytes.starts(with: "\u{FEFF}".utf8) { start += 3 }
            while start < bytes.endIndex {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
                if let link = try Self.link(in: bytes[start..<end], "\(name):\(number)") { links.append(link) }
                (start, number) = (end + 1, number + 1)
            }
            return links
        }
    }

    /// Reads the link of a line, or returns `nil` if it has none.
    private static func link(
        in line: ArraySlice<UInt8>,
        _ place: @autoclosure () -> String
    ) throws(CommandError) -> RecordedLink? {
        var line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line = line.dropLast() }
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        guard first == UInt8(ascii: "{") else { return columns(of: line) }
        return member(of: try JSONInput.parse(Array(line), named: place()))
    }

    /// Splits a line into the link and the count in its last column.
    private static func columns(of line: ArraySlice<UInt8>) -> RecordedLink {
        var start = line.endIndex
        while start > line.startIndex, line[start - 1] >= 0x30, line[start - 1] <= 0x39 { start -= 1 }
        guard start < line.endIndex, start > line.startIndex, isSpace(line[start - 1]),
            let count = DecimalText.parseInt(line[start...])
        else { return RecordedLink(bytes: Array(line)) }
        var link = line[..<start]
        while let last = link.last, isSpace(last) { link = link.dropLast() }
        return link.isEmpty ? RecordedLink(bytes: Array(line)) : RecordedLink(bytes: Array(link), opens: count)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Reads the link of a JSON object and its count, or returns `nil` for any other line.
    private static func member(of json: JSONValue) -> RecordedLink? {
        guard case .object(let members) = json, case .string(let link)? = members["link"] else { return nil }
        var recorded = RecordedLink(bytes: Array(link.utf8), isLogged: members["outcome"] != nil)
        if case .integer(let count)? = members["count"], count > 0 { recorded.opens = Int(count) }
        return recorded
    }
}
