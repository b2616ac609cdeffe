import DeepLinkCore

/// The most frequent unmatched links, without personal data.
///
/// They keep the catalog's words, and the first unmatched segment if it looks like a word and many requests share it
/// (decision record 30).
///
/// There are two counts, each in bounded memory: of all links with only the catalog's words, and of the links with a
/// first unmatched segment that looks like a word, including that segment. The reported part of the latter is
/// subtracted from the former.
struct UnmatchedLinks {
    /// The number of requests that must share an unmatched segment and the rest of their link before the segment is
    /// reported.
    static let sharedCount = 20

    private var masked: FrequentTexts
    private var withWord: FrequentTexts

    /// Creates empty counts.
    init(capacity: Int) {
        masked = FrequentTexts(capacity: capacity)
        withWord = FrequentTexts(capacity: capacity)
    }

    /// The total number of counted links.
    var total: Int { masked.total }

    /// Counts a link.
    ///
    /// - Parameters:
    ///   - text: the link with only the catalog's words.
    ///   - textWithWord: the link with its first unmatched segment, marked by ``KeptSegment``, or `nil` if that is
    ///     never reported.
    mutating func count(_ text: ByteText, withWord textWithWord: ByteText?) {
        masked.count(text)
        if let textWithWord { withWord.count(textWithWord) }
    }

    /// Returns the most frequent links, in descending order.
    func top(_ count: Int) -> [FrequentTexts.Entry] {
        var sums: [ByteText: (count: Int, error: Int)] = [:]
        for entry in masked.top(masked.capacity) { sums[entry.text] = (entry.count, entry.error) }
        for entry in withWord.top(withWord.capacity) {
            // This is the minimum frequency, since the count is too high by the error at most.
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
        return FrequentTexts.Entry.top(
            count,
            of: sums.map { FrequentTexts.Entry(text: $0, count: $1.count, error: $1.error) }
        )
    }
}

/// The kept segment of a masked link, preceded by a mark that occurs in no scheme and no host.
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

    /// The bytes before the mark, of the segment, and after it.
    private static func parts(of text: ByteText) -> ([UInt8], [UInt8], [UInt8])? {
        let bytes = Array(text.string.utf8)
        guard let place = bytes.firstIndex(of: mark) else { return nil }
        let rest = bytes[(place + 1)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        return (Array(bytes[..<place]), Array(rest[..<end]), Array(rest[end...]))
    }
}
