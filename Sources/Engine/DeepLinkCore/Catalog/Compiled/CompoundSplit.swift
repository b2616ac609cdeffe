/// The search for the parts of a text that belong to the parameters of a compound segment.
///
/// A literal is looked for in the text as sent. If the text has fewer raw occurrences than the segment needs, encoded
/// ones count as well. Of the splits that fit every type, the first parameter decides, then the next: it is as long as
/// possible if a later parameter is of another type than `string`, otherwise as short as possible (decision record 50).
struct CompoundSplit {
    private let segment: CompoundSegment
    private let text: SegmentText
    private let ignoresTypes: Bool

    /// The end of the last parameter.
    private let end: Int

    /// The remaining steps for comparing parts with types that no automaton reads.
    private var budget: Int

    /// The number of characters before each byte, empty until a length is compared.
    private var characterCounts: [Int] = []

    /// Returns the range of each parameter, in order, or `nil` if no split fits.
    ///
    /// - Complexity: linear in the text for each part.
    static func find(
        in text: SegmentText,
        by segment: CompoundSegment,
        ignoringTypes: Bool = false
    ) -> [Range<Int>]? {
        let (start, end) = (segment.prefix.count, text.bytes.count - segment.suffix.count)
        guard start < end, text.bytes.starts(with: segment.prefix),
            text.bytes[end...].elementsEqual(segment.suffix)
        else { return nil }
        var split = CompoundSplit(segment, text: text, end: end, ignoresTypes: ignoringTypes)
        return split.run(from: start)
    }

    private init(_ segment: CompoundSegment, text: SegmentText, end: Int, ignoresTypes: Bool) {
        self.segment = segment
        self.text = text
        self.end = end
        self.ignoresTypes = ignoresTypes
        budget = 8 * text.bytes.count + 4096
    }

    private mutating func run(from start: Int) -> [Range<Int>]? {
        let parts = segment.parts
        // From the end on: the places of each literal after which the rest fits.
        var ends = [[Int]](repeating: [end], count: parts.count)
        for place in parts.indices.dropLast().reversed() {
            let length = parts[place].literal.count
            let starts = places(of: place, from: start + 1).map { $0 + length }
            ends[place] = fitting(starts, before: ends[place + 1], part: parts[place + 1]).map { $0 - length }
            guard !ends[place].isEmpty else { return nil }
        }
        var ranges: [Range<Int>] = []
        var start = start
        for (place, part) in parts.enumerated() {
            guard let end = end(of: part, from: start, among: ends[place]) else { return nil }
            ranges.append(start..<end)
            start = end + part.literal.count
        }
        return ranges
    }

    /// Returns the places at which the literal after a part may stand, in order.
    private func places(of place: Int, from start: Int) -> [Int] {
        let literal = segment.parts[place].literal
        guard start < end - 1 else { return [] }
        let all = SegmentText.occurrences(of: literal, in: text.bytes[start..<(end - 1)])
        guard text.hasEncoded else { return all }
        let raw = all.filter { text.isRaw($0..<$0 + literal.count) }
        let isEnough = raw.count >= segment.parts.dropLast().count { $0.literal == literal }
        return isEnough ? raw : all
    }

    // MARK: Types

    /// Returns the starts from which a part reaches one of some ends, both in order.
    private mutating func fitting(_ starts: [Int], before ends: [Int], part: CompoundSegment.Part) -> [Int] {
        guard let last = ends.last, let first = starts.first, first < last else { return [] }
        if isAnyText(part) { return starts.filter { $0 < last } }
        switch part.type {
        case .string(let min, let max, nil):
            return starts.filter { start in
                // The first end at a sufficient distance decides.
                let near = Swift.max(min ?? 1, 1)
                let end = ends[firstIndex(in: ends) { $0 > start && characters(start..<$0) >= near }...].first
                return end.map { characters(start..<$0) <= max ?? .max } ?? false
            }
        case .string(let min, let max, _) where ends.count == 1 || min == nil && max == nil:
            guard let automaton = part.reversed else { return [] }
            // The text is read from the end, so the last places come first.
            var (reached, left, ahead) = ([Int](), ends[...], starts[...])
            automaton.reach(scalars(first..<last).reversed().map { $0.reversed }) { place in
                guard left.last == place else { return false }
                left.removeLast()
                return true
            } isLast: { place in
                while let start = ahead.last, start >= place {
                    ahead.removeLast()
                    if start == place { reached.append(start) }
                }
                return ahead.isEmpty
            }
            guard ends.count == 1 else { return reached.reversed() }
            return reached.reversed().filter { part.type.accepts(characterCount: characters($0..<last)) }
        default:
            var (reached, next) = ([Int](), 0)
            for start in starts {
                // Nothing fits once the budget is used up.
                guard budget >= 0 else { break }
                while next < ends.count, ends[next] - start < part.lengths.lowerBound { next += 1 }
                for end in ends[next...] {
                    guard end - start <= part.lengths.upperBound else { break }
                    guard fits(part, start..<end) else { continue }
                    reached.append(start)
                    break
                }
            }
            return reached
        }
    }

    /// Returns the end that counts for a part, among ends in order.
    private mutating func end(of part: CompoundSegment.Part, from start: Int, among ends: [Int]) -> Int? {
        let ends = ends[firstIndex(in: ends) { $0 > start }...].prefix { $0 - start <= part.lengths.upperBound }
        guard let last = ends.last else { return nil }
        if isAnyText(part) { return part.isGreedy ? last : ends.first }
        guard let pattern = part.type.pattern else {
            return part.isGreedy
                ? ends.last { fits(part, start..<$0) } : ends.first { fits(part, start..<$0) }
        }
        var (found, left) = (Int?.none, ends)
        pattern.reach(scalars(start..<last)) {
            $0 == start
        } isLast: { place in
            while let end = left.first, end < place { left.removeFirst() }
            guard left.first == place, part.type.accepts(characterCount: characters(start..<place)) else {
                return false
            }
            found = place
            return !part.isGreedy
        }
        return found
    }

    private func isAnyText(_ part: CompoundSegment.Part) -> Bool {
        ignoresTypes || part.type == .anyText
    }

    /// Returns whether a part fits its type, or `false` once the budget is used up.
    private mutating func fits(_ part: CompoundSegment.Part, _ range: Range<Int>) -> Bool {
        budget -= 16 + range.count
        return budget >= 0 && part.type.parse(text.bytes[range]) != nil
    }

    // MARK: Characters

    /// Returns the number of characters in a range.
    private mutating func characters(_ range: Range<Int>) -> Int {
        if characterCounts.isEmpty {
            characterCounts.append(0)
            for byte in text.bytes {
                // The bytes after the first one of a character begin with the bits 10 (RFC 3629 §3).
                characterCounts.append(characterCounts[characterCounts.count - 1] + (byte & 0xC0 == 0x80 ? 0 : 1))
            }
        }
        return characterCounts[range.upperBound] - characterCounts[range.lowerBound]
    }

    /// Returns the characters in a range, each with its place.
    private func scalars(_ range: Range<Int>) -> [PatternAutomaton.Step] {
        var steps: [PatternAutomaton.Step] = []
        var start = range.lowerBound
        for scalar in String(decoding: text.bytes[range], as: UTF8.self).unicodeScalars {
            let end = start + UTF8.width(scalar)
            steps.append(PatternAutomaton.Step(scalar: scalar.value, start: start, end: end))
            start = end
        }
        return steps
    }

    /// Returns the first index of a list from which on a condition holds.
    private func firstIndex(in list: [Int], where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(list[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
