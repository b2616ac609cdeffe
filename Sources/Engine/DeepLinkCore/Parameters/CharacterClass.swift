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
