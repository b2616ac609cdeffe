import DeepLinkCore

/// The most frequent links that nothing matched, without personal data: the catalog's words stay, and the segment at
/// which the match ends if it looks like a word and many requests share it (decision record 30).
///
/// Two counts are kept, each in memory that does not grow: of all links with the catalog's words alone, and of those that
/// end at what looks like a word, with that segment. What is shown of the latter is taken off the former.
struct UnmatchedLinks {
    /// The number of requests that have to share a segment at which links end, and their shape, for it to be shown.
    static let sharedCount = 20

    private var masked: FrequentTexts
    private var withWord: FrequentTexts

    /// Begins with none.
    init(capacity: Int) {
        masked = FrequentTexts(capacity: capacity)
        withWord = FrequentTexts(capacity: capacity)
    }

    /// The number of links that were counted.
    var total: Int { masked.total }

    /// Counts a link.
    ///
    /// - Parameters:
    ///   - text: the link with the catalog's words alone.
    ///   - textWithWord: the link with the segment at which its match ends, marked by ``KeptSegment``; `nil` if that is
    ///     never shown.
    mutating func count(_ text: ByteText, withWord textWithWord: ByteText?) {
        masked.count(text)
        if let textWithWord { withWord.count(textWithWord) }
    }

    /// Returns the most frequent links, the most frequent first.
    func top(_ count: Int) -> [FrequentTexts.Entry] {
        var sums: [ByteText: (count: Int, error: Int)] = [:]
        for entry in masked.top(masked.capacity) { sums[entry.text] = (entry.count, entry.error) }
        for entry in withWord.top(withWord.capacity) {
            // So often it came at least: the count is too high by the error at most.
            let least = entry.count - entry.error
            guard least >= Self.sharedCount else { continue }
            if let rest = sums[KeptSegment.masked(entry.text)] {
                // The rest may be too high by both errors.
                sums[KeptSegment.masked(entry.text)] =
                    rest.count > least
                    ? (rest.count - least, min(rest.error + entry.error, rest.count - least)) : nil
            }
            let shown = KeptSegment.unmarked(entry.text)
            let former = sums[shown] ?? (0, 0)
            sums[shown] = (former.count + entry.count, former.error + entry.error)
        }
        return sums.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(count)
            .map { FrequentTexts.Entry(text: $0.key, count: $0.value.count, error: $0.value.error) }
    }
}

/// The segment of a masked link that is kept, with a mark before it that is in no scheme and no host.
enum KeptSegment {
    private static let mark: UInt8 = 0x01

    /// Marks a segment.
    static func marked(_ segment: String) -> String { String(decoding: [mark], as: UTF8.self) + segment }

    /// Returns the link with the segment shown.
    static func unmarked(_ text: ByteText) -> ByteText {
        guard let (before, segment, after) = parts(of: text) else { return text }
        return String(decoding: before + segment + after, as: UTF8.self).bytewise
    }

    /// Returns the link with `…` in place of the segment.
    static func masked(_ text: ByteText) -> ByteText {
        guard let (before, _, after) = parts(of: text) else { return text }
        return String(decoding: before + CatalogWords.rest.utf8 + after, as: UTF8.self).bytewise
    }

    /// The bytes before the mark, those of the segment, and those after it.
    private static func parts(of text: ByteText) -> ([UInt8], [UInt8], [UInt8])? {
        let bytes = Array(text.string.utf8)
        guard let place = bytes.firstIndex(of: mark) else { return nil }
        let rest = bytes[(place + 1)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        return (Array(bytes[..<place]), Array(rest[..<end]), Array(rest[end...]))
    }
}
