/// Several patterns as one automaton, which reads a text once for all of them.
///
/// Every position of a pattern that consumes one character is a bit, and the active bits advance word by word (Navarro
/// and Raffinot, *Flexible Pattern Matching in Strings*, §4.3). The cost is linear in the text times the words, however
/// much the characters overlap. A long repetition is one bit with a counter.
final class PatternAutomaton: Sendable {
    /// The longest repetition that is unrolled, one bit for each character.
    private static let maximumSpelledLength = 128

    /// The largest total ``weight`` of patterns that are read together.
    static let maximumWeight = 1024

    /// A bit that consumes a counted number of characters.
    private struct Counter {
        let bit: Int
        let minimum: Int
        let maximum: Int
    }

    /// The state of a counter while a text is read.
    private struct Count {
        /// The position after the last character that did not fit.
        var runStart = 0

        /// The last start from which the minimum has been consumed, or a negative number if there is none.
        var latest = -1

        /// The positions at which the bit has begun, one bit each, if the minimum is above one.
        var begun: [UInt64] = []

        /// Whether the counter is active.
        var isOpen = false

        /// Consumes a character, and returns whether the count is then within the bounds.
        mutating func take(_ counter: Counter, isBegun: Bool, position: Int, length: Int) -> Bool {
            if counter.minimum <= 1 {
                if isBegun { latest = position }
            } else {
                if isBegun {
                    if begun.isEmpty { begun = [UInt64](repeating: 0, count: length / 64 + 1) }
                    begun[position / 64] |= 1 << (position % 64)
                }
                let ripe = position + 1 - counter.minimum
                if ripe >= 0, !begun.isEmpty, begun[ripe / 64] >> (ripe % 64) & 1 == 1 { latest = ripe }
            }
            return latest >= runStart && position + 1 - latest <= counter.maximum
        }
    }

    private let wordCount: Int

    /// The first bit of each pattern, and the bits reachable from it without a character.
    private let first: [UInt64]

    /// The last bit of each pattern.
    private let last: [UInt64]

    /// The bits that can be skipped without a character.
    private let skippable: [UInt64]

    /// The bits reachable from the preceding one without a character.
    private let through: [UInt64]

    /// The bits that can repeat.
    private let loops: [UInt64]

    /// The bits that have a counter.
    private let counted: [UInt64]
    private let counters: [Counter]

    /// The bits that accept each class of characters.
    private let rows: [UInt64]

    /// The first character of each class of characters: the classes are contiguous.
    private let bounds: [UInt32]

    /// The class of each ASCII character.
    private let ascii: [Int32]

    /// The last bit of each pattern, by its number.
    private let lastBits: [Int]

    /// The cost of one character: one per bit, and for a counter at most the cost of the longest unrolled repetition.
    let weight: Int

    /// Creates the automaton of patterns, each given by its elements.
    init(_ patterns: [[TextPattern.Element]]) {
        var layout = Layout()
        for elements in patterns { layout.append(elements) }
        let wordCount = (layout.bits.count + 63) / 64
        func words(_ isIncluded: (Layout.Bit) -> Bool) -> [UInt64] {
            var words = [UInt64](repeating: 0, count: wordCount)
            for (index, bit) in layout.bits.enumerated() where isIncluded(bit) {
                words[index / 64] |= 1 << (index % 64)
            }
            return words
        }
        self.wordCount = wordCount
        last = words { $0.isLast }
        skippable = words { $0.isSkippable }
        loops = words { $0.isLoop }
        counted = words { $0.counter != nil }
        lastBits = layout.bits.indices.filter { layout.bits[$0].isLast }
        var through = [UInt64](repeating: 0, count: wordCount)
        for index in layout.bits.indices.dropFirst()
        where layout.bits[index - 1].isSkippable && !layout.bits[index - 1].isLast {
            through[index / 64] |= 1 << (index % 64)
        }
        self.through = through
        var first = words { $0.isFirst }
        Self.close(&first, through: through)
        self.first = first
        counters = layout.bits.indices.compactMap { index in
            layout.bits[index].counter.map { Counter(bit: index, minimum: $0.minimum, maximum: $0.maximum) }
        }
        weight = layout.bits.count + counters.count * (Self.maximumSpelledLength - 1)
        let edges = Set(
            layout.bits.flatMap { bit in bit.characters.ranges.flatMap { [$0.lowerBound, $0.upperBound + 1] } } + [0]
        )
        let bounds = edges.sorted()
        self.bounds = bounds
        var rows = [UInt64](repeating: 0, count: bounds.count * wordCount)
        for (index, bit) in layout.bits.enumerated() {
            for range in bit.characters.ranges {
                var row = Self.row(of: range.lowerBound, bounds)
                while row < bounds.count, bounds[row] <= range.upperBound {
                    rows[row * wordCount + index / 64] |= 1 << (index % 64)
                    row += 1
                }
            }
        }
        self.rows = rows
        ascii = (0..<128).map { Int32(Self.row(of: $0, bounds)) }
    }

    /// Returns the patterns that match a whole text.
    ///
    /// - Complexity: O(*n* · *w*) for *n* characters and a *w* that ``weight`` bounds.
    func match(_ text: String) -> Matches {
        var run = Run(self, length: text.utf8.count)
        run.begin(self)
        for scalar in text.unicodeScalars {
            guard run.take(scalar.value, self) else {
                return Matches(words: run.starts.map { _ in 0 }, lastBits: lastBits, count: nil)
            }
        }
        return Matches(words: run.matches(self), lastBits: lastBits, count: run.position)
    }

    /// Visits the places at the ends of texts that fit some pattern, from any of several places, until one of them is
    /// the last.
    ///
    /// - Complexity: the same as for one text, independent of the number of places at which it begins.
    func reach(_ steps: [Step], from isStart: (Int) -> Bool, isLast: (Int) -> Bool) {
        var run = Run(self, length: steps.count)
        for step in steps {
            if isStart(step.start) { run.begin(self) }
            if run.take(step.scalar, self), run.isMatch(self), isLast(step.end) { return }
        }
    }

    /// Advances from the bits that have consumed enough to the following ones.
    private func advance(_ starts: inout [UInt64], exits: [UInt64]) {
        var carry: UInt64 = 0
        for word in 0..<wordCount {
            let moving = exits[word] & ~last[word]
            starts[word] = moving << 1 | carry
            carry = moving >> 63
        }
        Self.close(&starts, through: through)
    }

    /// Adds the bits reachable without a character.
    private static func close(_ starts: inout [UInt64], through: [UInt64]) {
        var top: UInt64 = 0
        for word in starts.indices {
            var reached = starts[word] | (top & through[word] & 1)
            var ways = through[word]
            var distance: UInt64 = 1
            // Doubling the distance reaches all 64 bits in six steps.
            while distance < 64, (reached << 1) & through[word] & ~reached != 0 {
                reached |= ways & (reached << distance)
                ways &= ways << distance
                distance *= 2
            }
            starts[word] = reached
            top = reached >> 63
        }
    }

    fileprivate static func row(of scalar: UInt32, _ bounds: [UInt32]) -> Int {
        var low = 0
        var high = bounds.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if bounds[middle] <= scalar { low = middle } else { high = middle }
        }
        return low
    }
}

extension PatternAutomaton {
    /// A character, with the places before and after it in the order of reading.
    struct Step {
        let scalar: UInt32
        let start: Int
        let end: Int

        /// The same character, read from its other side.
        var reversed: Step { Step(scalar: scalar, start: end, end: start) }
    }

    /// The state of an automaton while a text is read.
    private struct Run {
        /// The bits that may consume the next character.
        var starts: [UInt64]

        /// The number of characters read.
        var position = 0

        private var inside: [UInt64]
        private var exits: [UInt64]
        private var counts: [Count]
        private let length: Int

        init(_ automaton: PatternAutomaton, length: Int) {
            starts = [UInt64](repeating: 0, count: automaton.wordCount)
            inside = starts
            exits = starts
            counts = automaton.counters.map { _ in Count() }
            self.length = length
        }

        /// Allows a text that fits to begin here.
        mutating func begin(_ automaton: PatternAutomaton) {
            for word in starts.indices { starts[word] |= automaton.first[word] }
        }

        /// Consumes a character, and returns whether some text may still fit.
        mutating func take(_ scalar: UInt32, _ automaton: PatternAutomaton) -> Bool {
            let isASCII = scalar < 128
            let row =
                (isASCII ? Int(automaton.ascii[Int(scalar)]) : PatternAutomaton.row(of: scalar, automaton.bounds))
                * automaton.wordCount
            var isAlive: UInt64 = 0
            for word in 0..<automaton.wordCount {
                let characters = automaton.rows[row + word]
                let taken = (starts[word] & ~automaton.counted[word] | inside[word]) & characters
                inside[word] = taken & automaton.loops[word]
                exits[word] = taken
                isAlive |= taken
            }
            for (index, counter) in automaton.counters.enumerated() {
                let (word, bit) = (counter.bit / 64, UInt64(counter.bit % 64))
                let isBegun = starts[word] >> bit & 1 == 1
                guard isBegun || counts[index].isOpen else { continue }
                counts[index].isOpen = automaton.rows[row + word] >> bit & 1 == 1
                guard counts[index].isOpen else {
                    counts[index].runStart = position + 1
                    continue
                }
                isAlive = 1
                if counts[index].take(counter, isBegun: isBegun, position: position, length: length) {
                    exits[word] |= 1 << bit
                }
            }
            position += 1
            automaton.advance(&starts, exits: exits)
            return isAlive != 0
        }

        /// Returns whether the text fits some pattern.
        func isMatch(_ automaton: PatternAutomaton) -> Bool {
            for word in 0..<automaton.wordCount
            where (exits[word] | starts[word] & automaton.skippable[word]) & automaton.last[word] != 0 {
                return true
            }
            return false
        }

        /// The last bits of the patterns that the text fits.
        func matches(_ automaton: PatternAutomaton) -> [UInt64] {
            // Before the first character no bit has been exited.
            exits.indices.map { (exits[$0] | starts[$0] & automaton.skippable[$0]) & automaton.last[$0] }
        }
    }
}

extension PatternAutomaton {
    /// The patterns that match a text.
    struct Matches {
        fileprivate let words: [UInt64]
        fileprivate let lastBits: [Int]

        /// The number of characters of the text, or `nil` if no pattern matches it.
        let count: Int?

        /// Returns whether the pattern with a number matches the text.
        func contains(_ pattern: Int) -> Bool {
            words[lastBits[pattern] / 64] >> (lastBits[pattern] % 64) & 1 == 1
        }
    }

    /// The bits of several patterns, one after another.
    private struct Layout {
        struct Bit {
            let characters: CharacterClass
            var isFirst = false
            var isLast = false
            var isSkippable = false
            var isLoop = false
            var counter: (minimum: Int, maximum: Int)?
        }

        var bits: [Bit] = []

        mutating func append(_ elements: [TextPattern.Element]) {
            let start = bits.count
            for element in elements { append(element) }
            // A pattern of nothing but `a{0}` matches the empty text.
            if bits.count == start { bits.append(Bit(characters: CharacterClass([]), isSkippable: true)) }
            bits[start].isFirst = true
            bits[bits.count - 1].isLast = true
        }

        private mutating func append(_ element: TextPattern.Element) {
            let characters = element.characters
            let isOpen = element.maximum == .max
            guard (isOpen ? element.minimum : element.maximum) <= PatternAutomaton.maximumSpelledLength else {
                let maximum = isOpen ? element.minimum : element.maximum
                bits.append(
                    Bit(
                        characters: characters,
                        isSkippable: element.minimum == 0,
                        counter: (element.minimum, maximum)
                    )
                )
                if isOpen { bits.append(Bit(characters: characters, isSkippable: true, isLoop: true)) }
                return
            }
            for _ in 0..<element.minimum { bits.append(Bit(characters: characters)) }
            if !isOpen {
                for _ in element.minimum..<element.maximum {
                    bits.append(Bit(characters: characters, isSkippable: true))
                }
            } else if element.minimum > 0 {
                bits[bits.count - 1].isLoop = true
            } else {
                bits.append(Bit(characters: characters, isSkippable: true, isLoop: true))
            }
        }
    }
}
