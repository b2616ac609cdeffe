/// The numbers of a version, such as `3.1.0`: at most four, each of at most nine digits.
///
/// They are compared part by part as numbers, and a part that is missing is 0: `3.2` = `3.2.0` < `3.10`. Kept in two words,
/// so that copying one counts no references.
public struct VersionNumber: Sendable {
    /// The most numbers of a version.
    public static let maximumCount = 4

    /// The most digits of each of them.
    public static let maximumDigitCount = 9

    private let first: UInt64
    private let second: UInt64

    /// How many numbers were written.
    private let count: UInt8

    /// Reads numbers with dots between them; `nil` for any other text.
    public init?(_ text: String) { self.init(text.utf8[...]) }

    init?(_ text: Substring.UTF8View) {
        let fields = text.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard fields.count <= Self.maximumCount else { return nil }
        var numbers = [UInt64](repeating: 0, count: Self.maximumCount)
        for (index, field) in fields.enumerated() {
            guard !field.isEmpty, field.count <= Self.maximumDigitCount, field.allSatisfy(ASCII.isDigit) else {
                return nil
            }
            numbers[index] = field.reduce(0) { $0 * 10 + UInt64($1 - ASCII.zero) }
        }
        first = numbers[0] << 32 | numbers[1]
        second = numbers[2] << 32 | numbers[3]
        count = UInt8(fields.count)
    }

    /// The numbers, the weightiest first, as many as were written.
    public var numbers: [Int] {
        [first >> 32, first & 0xFFFF_FFFF, second >> 32, second & 0xFFFF_FFFF].prefix(Int(count)).map { Int($0) }
    }

    /// The numbers with dots between them; zeros in front of a number are not kept.
    public var text: String { numbers.map(String.init).joined(separator: ".") }
}

extension VersionNumber: Comparable, Hashable {
    /// Compares the numbers; parts that are missing are 0.
    public static func == (left: VersionNumber, right: VersionNumber) -> Bool {
        left.first == right.first && left.second == right.second
    }

    /// Orders the earlier version first.
    public static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
    }
}
