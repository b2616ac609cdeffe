package import DeepLinkCore

/// A day in UTC, under which uses of links are counted.
package struct CountedDay: Hashable, Comparable, Sendable {
    /// The length of a day, in milliseconds.
    private static let length: Int64 = 86_400_000

    /// The distance from 1970-01-01, in days.
    package let number: Int

    /// Creates the day at a distance from 1970-01-01.
    package init(number: Int) { self.number = number }

    /// Creates the day of a moment.
    package init(of time: Timestamp) {
        let (quotient, rest) = time.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: Self.length)
        number = Int(rest < 0 ? quotient - 1 : quotient)
    }

    /// Reads `YYYY-MM-DD`, a real day; `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == 10, let time = Timestamp(rfc3339: text + "T00:00:00Z") else { return nil }
        self.init(of: time)
    }

    /// The day as `YYYY-MM-DD`.
    package var text: String {
        String(Timestamp(millisecondsSinceEpoch: Int64(number) * Self.length).rfc3339.utf8.prefix(10)) ?? ""
    }

    /// Returns the day at a distance in days.
    package func advanced(by days: Int) -> CountedDay { CountedDay(number: number + days) }

    /// Orders the earlier day first.
    package static func < (left: CountedDay, right: CountedDay) -> Bool { left.number < right.number }
}
