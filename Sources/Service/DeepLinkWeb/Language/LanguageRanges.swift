package import DeepLinkCore
import DeepLinkFormats

/// The languages that a visitor prefers, best first (RFC 9110 §12.5.4).
package struct LanguageRanges: Sendable {
    /// The maximum number of ranges read from a header.
    private static let maximumCount = 16

    /// The ranges in lower case, best first, where `*` stands for any.
    private let ranges: [[UInt8]]

    /// Reads `Accept-Language`.
    ///
    /// Without it, any language matches.
    package init(_ field: String?) {
        guard let field, !field.isEmpty else {
            ranges = []
            return
        }
        var weighted: [(range: [UInt8], weight: Int)] = []
        for element in FieldParts(of: field, at: ",").prefix(Self.maximumCount) {
            var parts = FieldParts(element, at: ";")
            guard let range = parts.next(), Self.isRange(range) else { continue }
            let weight = parts.first { $0.starts(with: "q=".utf8) }.map { Self.weight($0.dropFirst(2)) } ?? 1_000
            if weight > 0 { weighted.append((range.map(ASCII.lowercased), weight)) }
        }
        // A stable order: the first of equal weights.
        ranges = weighted.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.range)
    }

    /// Returns the best matching version of a text (RFC 4647 §3.4), or the first one if none matches.
    package func best(of text: LocalizedText) -> LocalizedText.Version {
        text.versions[text.versions.count == 1 ? 0 : best(of: text.versions.lazy.map(\.language)) ?? 0]
    }

    /// Returns the index of the best matching tag, or `nil` if none matches.
    func best(of tags: some RandomAccessCollection<String>) -> Int? {
        for range in ranges {
            if let place = Self.place(of: range, in: tags) { return place }
        }
        return nil
    }

    /// Returns the index of the tag that a range matches: the range itself, a truncation of it, or a tag that begins
    /// with it.
    private static func place(of range: [UInt8], in tags: some RandomAccessCollection<String>) -> Int? {
        var range = range[...]
        if range.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))) { return tags.isEmpty ? nil : 0 }
        while true {
            var longer: Int?
            for (place, tag) in tags.enumerated() {
                let tag = tag.utf8Span.span
                guard tag.count >= range.count,
                    ASCII.equalIgnoringCase(tag.extracting(first: range.count), range.span)
                else { continue }
                if tag.count == range.count { return place }
                if longer == nil, tag[range.count] == UInt8(ascii: "-") { longer = place }
            }
            if let longer { return longer }
            guard let end = range.lastIndex(of: UInt8(ascii: "-")) else { return nil }
            range = range[..<end]
        }
    }

    private static func isRange(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty && text.count <= 35
            && text.allSatisfy { (($0 | 0x20) &- 0x61 < 26) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2A }
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
