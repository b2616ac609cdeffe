/// The terms of the short links to a route (`shortLink`).
package struct ShortLinkTerms: Hashable, Sendable {
    /// The allowed values of ``length``.
    package static let lengths = 3...128

    /// The minimum length of a code, or `nil` if any length is allowed.
    package let length: Int?

    /// The maximum lifetime of a link, or `nil` for any.
    package let life: LinkLife?

    /// Creates terms from their parts.
    package init(length: Int? = nil, life: LinkLife? = nil) {
        self.length = length
        self.life = life
    }
}

/// A span of time in whole units, such as `30d`.
package struct LinkLife: Hashable, Sendable {
    /// The units with their seconds, the longest first.
    private static let units: [(name: UInt8, seconds: Int)] = [
        (UInt8(ascii: "w"), 604_800), (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3_600),
        (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
    ]

    /// The maximum: a hundred years, in seconds.
    package static let maximumSeconds = 36_525 * 86_400

    /// The length in seconds.
    package let seconds: Int

    /// Reads a whole number with a unit: `w`, `d`, `h`, `m` or `s`.
    ///
    /// - Returns: `nil` for any other text, for zero, and for more than a hundred years.
    package init?(_ text: String) {
        guard let unit = Self.units.first(where: { $0.name == text.utf8.last }),
            let count = DecimalText.parseInt(text.utf8.dropLast()), count > 0
        else { return nil }
        let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit.seconds)
        guard !isTooLong, seconds <= Self.maximumSeconds else { return nil }
        self.seconds = seconds
    }

    /// The text in the longest unit that divides the span.
    package var text: String {
        let unit = Self.units.first { seconds.isMultiple(of: $0.seconds) }
        return unit.map { "\(seconds / $0.seconds)\(Character(UnicodeScalar($0.name)))" } ?? ""
    }
}
