package import DeepLinkCore

/// The languages that a visitor reads, best first (RFC 9110 §12.5.4).
package struct LanguageRanges: Sendable {
    /// The most ranges of a field that are read.
    private static let maximumCount = 16

    /// The ranges in lower case, best first; `*` is any.
    private let ranges: [String]

    /// Reads `Accept-Language`; without it, any language will do.
    package init(_ field: String?) {
        guard let field, !field.isEmpty else {
            ranges = []
            return
        }
        var weighted: [(range: String, weight: Int)] = []
        for element in field.utf8.split(separator: UInt8(ascii: ",")).prefix(Self.maximumCount) {
            let parts = element.split(separator: UInt8(ascii: ";"))
            guard let range = parts.first.map(Self.trimmed), Self.isRange(range) else { continue }
            let weight =
                parts.dropFirst().lazy.map(Self.trimmed)
                .first { $0.utf8.starts(with: "q=".utf8) }
                .map { Self.weight($0.utf8.dropFirst(2)) } ?? 1_000
            if weight > 0 { weighted.append((range.lowercased(), weight)) }
        }
        // A stable order: of equal weights, the first.
        ranges = weighted.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.range)
    }

    /// Finds the version of a text that fits best (RFC 4647 §3.4): of none, the first.
    package func best(of text: LocalizedText) -> LocalizedText.Version {
        let found = ranges.lazy.compactMap { range in index(of: range, in: text.versions.map(\.language)) }.first
        return text.versions[found ?? 0]
    }

    /// Finds the place of the tag that fits best; `nil` for none.
    func best(of tags: [String]) -> Int? {
        ranges.lazy.compactMap { index(of: $0, in: tags) }.first
    }

    /// Finds the tag that a range means: the range itself or cut back to fewer subtags, or one that begins with it.
    private func index(of range: String, in tags: [String]) -> Int? {
        if range.bytewise == "*" { return tags.isEmpty ? nil : 0 }
        var range = range
        while true {
            if let index = tags.firstIndex(where: { $0.lowercased().bytewise == range.bytewise }) { return index }
            if let index = tags.firstIndex(where: { $0.lowercased().utf8.starts(with: (range + "-").utf8) }) {
                return index
            }
            guard let end = range.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
            range = String(range[..<end])
        }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        var bytes = bytes
        while bytes.first == UInt8(ascii: " ") || bytes.first == UInt8(ascii: "\t") { bytes.removeFirst() }
        while bytes.last == UInt8(ascii: " ") || bytes.last == UInt8(ascii: "\t") { bytes.removeLast() }
        return String(Substring(bytes))
    }

    private static func isRange(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 35
            && text.utf8.allSatisfy { (($0 | 0x20) &- 0x61 < 26) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2A }
    }

    /// Reads a weight in thousandths: `1`, `0.5`, `0.25`.
    private static func weight(_ bytes: Substring.UTF8View) -> Int {
        var weight = 0
        var unit = 1_000
        for byte in bytes.prefix(5) {
            if byte == UInt8(ascii: ".") { continue }
            guard ASCII.isDigit(byte) else { return 0 }
            weight += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return min(weight, 1_000)
    }
}
