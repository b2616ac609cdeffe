/// The numbers of a version, such as `3.1.0`: at most four, each with at most nine digits.
///
/// They are compared part by part as numbers, and a missing part is 0: `3.2` = `3.2.0` < `3.10`. They are stored in two
/// words, so that a copy retains nothing.
package struct VersionNumber: Sendable {
    /// The maximum number of parts.
    package static let maximumCount = 4

    /// The maximum number of digits in a part.
    package static let maximumDigitCount = 9

    private let first: UInt64
    private let second: UInt64

    /// The number of parts written.
    private let count: UInt8

    /// Parses numbers separated by dots, or returns `nil` for any other text.
    package init?(_ text: String) { self.init(text.utf8[...]) }

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

    /// Parses the first four numbers of a build's version, without a suffix after `-` or `+`.
    init?(ofBuild text: Substring.UTF8View) {
        guard text.count <= Self.maximumBuildByteCount else { return nil }
        let end = text.firstIndex { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? text.endIndex
        let suffix = text[end...]
        guard suffix.count != 1, suffix.allSatisfy(Self.isOfSuffix) else { return nil }
        let fields = text[..<end].split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard fields.allSatisfy({ !$0.isEmpty && $0.count <= Self.maximumDigitCount && $0.allSatisfy(ASCII.isDigit) })
        else { return nil }
        let last = fields.prefix(Self.maximumCount).last?.endIndex ?? end
        self.init(text[..<last])
    }

    /// The maximum length of a build's version, in bytes.
    private static let maximumBuildByteCount = 128

    private static func isOfSuffix(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dot || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+")
    }

    /// The numbers that were written, the most significant first.
    package var numbers: [Int] {
        [first >> 32, first & 0xFFFF_FFFF, second >> 32, second & 0xFFFF_FFFF].prefix(Int(count)).map { Int($0) }
    }

    /// The numbers, separated by dots, without leading zeros.
    package var text: String { numbers.map(String.init).joined(separator: ".") }
}

extension VersionNumber: Comparable, Hashable {
    /// Compares the numbers, with missing parts as 0.
    package static func == (left: VersionNumber, right: VersionNumber) -> Bool {
        left.first == right.first && left.second == right.second
    }

    /// Orders the earlier version first.
    package static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }

    /// Hashes the numbers, with missing parts as 0.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
    }
}
