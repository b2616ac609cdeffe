import DeepLinkCore

/// The segments that the links have at one place of their paths, with the number of links of each.
struct SegmentTally {
    /// The links with one word, or with one of several.
    struct Word {
        /// The number of lengths that are told apart.
        private static let lengthCount = 6

        /// The number of links by the number of segments behind the word, the last for all longer ones.
        private(set) var lengths = SIMD8<UInt32>()

        /// The words behind it.
        private(set) var nexts = NextWords()

        /// The words behind those.
        private(set) var seconds = NextWords()

        /// The number of links.
        var links: Int { Int(lengths.wrappedSum()) }

        /// The number of links that end with the word.
        var ends: Int { Int(lengths[0]) }

        /// Counts a link with what is behind the word.
        mutating func note(_ rest: ArraySlice<String>) {
            lengths[min(rest.count, Self.lengthCount - 1)] &+= 1
            guard let next = rest.first else { return }
            nexts.insert(next)
            if rest.count > 1 { seconds.insert(rest[rest.startIndex + 1]) }
        }

        /// Adds the links of another word.
        mutating func add(_ other: Word) {
            lengths &+= other.lengths
            nexts.add(other.nexts)
            seconds.add(other.seconds)
        }

        /// Returns whether links go on behind the word as they hardly would behind one of many others.
        ///
        /// Both the distance of the shares and the likelihood by chance count (a G-test).
        ///
        /// - Parameters:
        ///   - others: The links of the others.
        ///   - count: The number of words that are asked: the more, the sooner one of them differs by chance.
        /// - Returns: Whether they differ.
        func differs(from others: Word, of count: Int) -> Bool {
            let (own, all) = (Double(links), Double(others.links))
            guard all >= 3 else { return false }
            var (distance, surprise) = (0.0, 0.0)
            for place in 0..<Self.lengthCount {
                let count = Double(lengths[place])
                let share = (Double(others.lengths[place]) + 0.2) / (all + 0.2 * Double(Self.lengthCount))
                distance += abs(count / own - share) / 2
                if count > 0 { surprise += 2 * count * Self.logarithm(count / (own * share)) }
            }
            return distance >= 0.35 && surprise >= 9 + 2 * Self.logarithm(Double(max(1, count)))
        }

        /// The natural logarithm of a number, by its exponent and a series.
        private static func logarithm(_ number: Double) -> Double {
            let part = (number.significand - 1) / (number.significand + 1)
            let square = part * part
            let series = 2 * part * (1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9))))
            return Double(number.exponent) * 0.693_147_180_559_945_3 + series
        }
    }

    /// The words that follow another: the smallest hashes, and whether there are more.
    struct NextWords {
        /// The largest number of words that are told apart.
        private static let maximumCount = 16

        /// The hashes, in their order.
        private(set) var hashes: [UInt32] = []

        /// Whether there are so many words that they are values rather than parts of paths.
        private(set) var isWide = false

        /// Whether something follows that is no word.
        private(set) var hasValues = false

        /// Whether any value follows, and no word of a path is told from the values.
        var isFree: Bool { isWide || hashes.isEmpty && hasValues }

        /// Returns whether there are many words here, of which most are among others as well.
        func isPart(of others: NextWords) -> Bool {
            // Of too many words, the smallest hashes are known.
            let own = others.isWide ? hashes.filter { $0 <= others.hashes[others.hashes.count - 1] } : hashes
            return own.count > 5 && own.count { others.hashes.contains($0) } * 4 >= own.count * 3
        }

        mutating func insert(_ next: String) {
            guard ValueForm(next) == .word else {
                hasValues = true
                return
            }
            insert(UInt32(truncatingIfNeeded: StableHash.hash(next)))
        }

        mutating func add(_ other: NextWords) {
            for hash in other.hashes { insert(hash) }
            isWide = isWide || other.isWide
            hasValues = hasValues || other.hasValues
        }

        private mutating func insert(_ hash: UInt32) {
            let place = hashes.firstIndex { $0 >= hash } ?? hashes.count
            guard place == hashes.count || hashes[place] != hash else { return }
            hashes.insert(hash, at: place)
            guard hashes.count > Self.maximumCount else { return }
            hashes.removeLast()
            isWide = true
        }
    }

    /// The number of links that end at the place.
    private(set) var ends = 0

    /// The number of links with a segment of each form.
    private(set) var forms = [Int](repeating: 0, count: ValueForm.allCases.count)

    /// The number of links with a segment that begins with a sign, by the sign.
    private(set) var signs: [UInt8: Int] = [:]

    /// The number of links with a segment that is no word.
    private(set) var valueLinks = 0

    /// A sample of the segments that are no words.
    private(set) var distinctValues = HashSample(maximumCount: 64)

    /// The continuations of segments that are no words, and of those that are not counted by themselves.
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
    var links: Int { forms.reduce(0, +) + signs.values.reduce(0, +) }

    /// The signs that tell values apart, in their order: each at sign, and others that are seen often.
    var frequentSigns: [(sign: UInt8, links: Int)] {
        signs.filter { $0.key == UInt8(ascii: "@") || $0.value >= 8 && $0.value * 50 >= links }
            .map { (sign: $0.key, links: $0.value) }.sorted { $0.sign < $1.sign }
    }

    /// Whether there are values with a sign that does not tell them apart.
    var hasRareSigns: Bool { signs.count > frequentSigns.count }

    mutating func noteEnd() { ends += 1 }

    /// Counts a segment, and the one that follows it.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - rest: The following segments.
    ///   - isValue: Whether the segment is a value, whatever it looks like.
    ///   - limit: The largest number of words that are counted one by one.
    ///   - isFrequent: Whether a word is counted by itself where there are too many.
    mutating func note(
        _ segment: String,
        rest: ArraySlice<String>,
        isValue: Bool,
        limit: Int,
        isFrequent: ((String) -> Bool)?
    ) {
        if !isValue, let sign = ValueSign(segment) {
            signs[sign.byte, default: 0] += 1
            return
        }
        let form = isValue ? .opaque : ValueForm(segment)
        forms[form.rawValue] += 1
        // `true` and `false` name no screens.
        guard form == .word, segment.bytewise != "true", segment.bytewise != "false" else {
            valueLinks += 1
            distinctValues.insert(StableHash.hash(segment))
            values.note(rest)
            return
        }
        if let isFrequent {
            guard isFrequent(segment) else {
                uncountedLinks += 1
                values.note(rest)
                return
            }
        } else if isFull {
            uncountedLinks += 1
            return
        }
        words[segment.bytewise, default: Word()].note(rest)
        weight = max(weight, words.count)
        if words.count > limit, isFrequent == nil {
            isFull = true
            uncountedLinks += words.values.reduce(0) { $0 + $1.links }
            words = [:]
        }
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
