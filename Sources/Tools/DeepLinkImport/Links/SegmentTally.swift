import DeepLinkCore

/// The segments that the links have at one place of their paths, with the number of links of each.
struct SegmentTally {
    /// The links with one word.
    struct Word {
        /// The number of links.
        var links = 0

        /// The number of links that end with the word.
        var ends = 0

        /// A bit for each group of words that follow, and the highest bit for values.
        var nexts: UInt64 = 0

        /// The bits of words alone.
        var nextWords: UInt64 { nexts & ~SegmentTally.valueMark }
    }

    /// The bit of a following segment that is no word.
    static let valueMark: UInt64 = 1 << 63

    /// The number of links that end at the place.
    private(set) var ends = 0

    /// The number of links with a segment of each form.
    private(set) var forms = [Int](repeating: 0, count: ValueForm.allCases.count)

    /// The number of links with a segment that begins with an at sign.
    private(set) var handles = 0

    /// The continuations of segments that are no words.
    private(set) var values = Word()

    /// The words, unless there are too many.
    private(set) var words: [ByteText: Word] = [:]

    /// Whether there are too many words to be counted one by one.
    private(set) var isFull = false

    /// The number of links with a word that is not counted by itself.
    private(set) var uncountedLinks = 0

    /// The number of distinct words that were counted, never less than before.
    private(set) var weight = 0

    /// Creates an empty tally, possibly of a place at which links end.
    init(ends: Int = 0) {
        self.ends = ends
    }

    /// The number of links with a segment at the place.
    var links: Int { forms.reduce(0, +) + handles }

    mutating func noteEnd() { ends += 1 }

    /// Counts a segment, and the one that follows it.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - next: The following segment, or `nil` at the end.
    ///   - isValue: Whether the segment is a value, whatever it looks like.
    ///   - limit: The largest number of words that are counted one by one.
    ///   - isFrequent: Whether a word is counted by itself where there are too many.
    mutating func note(
        _ segment: String,
        next: String?,
        isValue: Bool,
        limit: Int,
        isFrequent: ((String) -> Bool)?
    ) {
        let mark = next.map(Self.mark)
        if segment.utf8.first == UInt8(ascii: "@"), segment.utf8.count > 1, !isValue {
            handles += 1
            return
        }
        let form = isValue ? .opaque : ValueForm(segment)
        forms[form.rawValue] += 1
        guard form == .word else {
            values.links += 1
            values.ends += next == nil ? 1 : 0
            values.nexts |= mark ?? 0
            return
        }
        if let isFrequent {
            guard isFrequent(segment) else {
                uncountedLinks += 1
                values.nexts |= mark ?? 0
                return
            }
        } else if isFull {
            uncountedLinks += 1
            return
        }
        var word = words[segment.bytewise] ?? Word()
        word.links += 1
        word.ends += next == nil ? 1 : 0
        word.nexts |= mark ?? 0
        words[segment.bytewise] = word
        weight = max(weight, words.count)
        if words.count > limit, isFrequent == nil {
            isFull = true
            uncountedLinks += words.values.reduce(0) { $0 + $1.links }
            words = [:]
        }
    }

    private static func mark(_ next: String) -> UInt64 {
        ValueForm(next) == .word ? 1 << (StableHash.hash(next) % 63) : valueMark
    }
}

/// Estimates of how often each of many texts occurs, never too low: a count-min sketch.
///
/// Its size is fixed, and it does not depend on the order of the texts.
struct FrequencySketch {
    private static let rowCount = 4
    private static let columnCount = 1 << 18

    private var counters: [UInt32] = []

    mutating func add(_ text: String, at place: Int) {
        if counters.isEmpty { counters = [UInt32](repeating: 0, count: Self.rowCount * Self.columnCount) }
        for cell in Self.cells(text, place) where counters[cell] < .max { counters[cell] += 1 }
    }

    /// Returns the estimated number of occurrences of a text.
    func estimate(_ text: String, at place: Int) -> Int {
        guard !counters.isEmpty else { return 0 }
        return Int(Self.cells(text, place).map { counters[$0] }.min() ?? 0)
    }

    private static func cells(_ text: String, _ place: Int) -> [Int] {
        let hash = StableHash.hash(text, seed: UInt64(place) &+ 1)
        let (low, high) = (hash & 0xFFFF_FFFF, hash >> 32 | 1)
        return (0..<rowCount)
            .map { row in
                row * columnCount + Int((low &+ UInt64(row) &* high) & UInt64(columnCount - 1))
            }
    }
}
