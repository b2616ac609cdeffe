/// The parser of the syntax of ``TextPattern``.
struct TextPatternParser {
    private var scalars: Substring.UnicodeScalarView

    /// The maximum number of elements in a pattern, and the maximum length that it may name.
    private static let maximumElementCount = 64
    private static let maximumLength = 8192

    init(_ source: String) {
        scalars = Substring(source).unicodeScalars
    }

    mutating func parse() throws(PatternError) -> [TextPattern.Element] {
        var elements: [TextPattern.Element] = []
        while let scalar = scalars.popFirst() {
            let characters = try parseCharacters(scalar)
            let (minimum, maximum) = try parseLength()
            elements.append(TextPattern.Element(characters: characters, minimum: minimum, maximum: maximum))
            guard elements.count <= Self.maximumElementCount else {
                throw PatternError(message: "has more than \(Self.maximumElementCount) parts")
            }
        }
        guard !elements.isEmpty else { throw PatternError(message: "is empty") }
        return elements
    }

    private mutating func parseCharacters(_ scalar: Unicode.Scalar) throws(PatternError) -> CharacterClass {
        switch scalar {
        case "[": return try parseClass()
        case "\\": return try parseEscape()
        case ".":
            throw PatternError(
                message: "uses `.`, which is not supported; write `\\.` for itself",
                hint: "For any text write `[^/]+`, which is any character but a slash, once or more; `\\.` is a dot."
            )
        case "(", ")", "|", "^", "$", "*", "+", "?", "{", "}", "]":
            throw PatternError(message: "uses `\(scalar)`, which is not supported; write `\\\(scalar)` for itself")
        default: return CharacterClass([scalar.value...scalar.value])
        }
    }

    private mutating func parseEscape() throws(PatternError) -> CharacterClass {
        guard let scalar = scalars.popFirst() else { throw PatternError(message: "ends in a backslash") }
        switch scalar {
        case "d": return .digits
        case "w": return .word
        case "a"..."z", "A"..."Z", "0"..."9":
            throw PatternError(message: "uses `\\\(scalar)`, which is not supported; there are \\d and \\w")
        default: return CharacterClass([scalar.value...scalar.value])
        }
    }

    private mutating func parseClass() throws(PatternError) -> CharacterClass {
        var ranges: [ClosedRange<UInt32>] = []
        let isNegated = scalars.first == "^"
        if isNegated { scalars.removeFirst() }
        while scalars.first != "]" {
            guard let scalar = scalars.popFirst() else { throw PatternError(message: "has a `[` without its `]`") }
            guard scalar != "\\" else {
                ranges += try parseEscape().ranges
                continue
            }
            guard scalars.first == "-", let upper = scalars.dropFirst().first, upper != "]", upper != "\\" else {
                ranges.append(scalar.value...scalar.value)
                continue
            }
            guard scalar <= upper else {
                throw PatternError(message: "has the range `\(scalar)-\(upper)` reversed")
            }
            ranges.append(scalar.value...upper.value)
            scalars.removeFirst(2)
        }
        scalars.removeFirst()
        guard !ranges.isEmpty else { throw PatternError(message: "has an empty character class") }
        return isNegated ? CharacterClass(ranges).complement : CharacterClass(ranges)
    }

    private mutating func parseLength() throws(PatternError) -> (Int, Int) {
        let lengths: [Unicode.Scalar: (Int, Int)] = ["+": (1, .max), "*": (0, .max), "?": (0, 1)]
        guard let sign = scalars.first, sign == "{" || lengths[sign] != nil else { return (1, 1) }
        scalars.removeFirst()
        guard let length = lengths[sign] else { return try parseBraces() }
        return length
    }

    private mutating func parseBraces() throws(PatternError) -> (Int, Int) {
        let text = String(scalars.prefix { $0 != "}" })
        scalars.removeFirst(text.unicodeScalars.count)
        guard scalars.popFirst() != nil else { throw PatternError(message: "has a `{` without its `}`") }
        let bounds = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { DecimalText.parseInt($0) }
        let isOpen = bounds.count == 2 && text.utf8.last == UInt8(ascii: ",")
        guard let minimum = bounds[0], minimum >= 0, bounds.count <= 2, isOpen || bounds[bounds.count - 1] != nil else {
            throw PatternError(message: "has the length `{\(text)}`; write {n}, {n,} or {n,m}")
        }
        let maximum = isOpen ? Int.max : bounds[bounds.count - 1] ?? minimum
        guard minimum <= maximum, minimum <= Self.maximumLength, isOpen || maximum <= Self.maximumLength else {
            throw PatternError(
                message: "has the length `{\(text)}`, which is not within 0 to \(Self.maximumLength)"
            )
        }
        return (minimum, maximum)
    }
}

/// A set of Unicode scalars, as sorted ranges that do not touch.
struct CharacterClass: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    static let digits = CharacterClass([0x30...0x39])
    static let word = CharacterClass([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound + 1 {
                self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// Every scalar that is not in the class.
    var complement: CharacterClass {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if next < range.lowerBound { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10_FFFF { gaps.append(next...0x10_FFFF) }
        return CharacterClass(gaps)
    }

    func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } }

    /// Returns whether some character is in both classes.
    func intersects(_ other: CharacterClass) -> Bool {
        ranges.contains { range in other.ranges.contains { $0.overlaps(range) } }
    }
}
