package import DeepLinkCore

/// The heading under which uses of links are counted.
package enum CountHeading: Hashable, Sendable {
    /// A day, with the route that a link leads to and the label of the short link; empty for none.
    case day(CountedDay, route: ByteText, label: ByteText)

    /// The code of a short link, whose counts are totals of all days.
    case code(ByteText)
}

extension CountHeading: Comparable {
    /// Orders days first, by day, route and label, then codes.
    package static func < (left: CountHeading, right: CountHeading) -> Bool {
        switch (left, right) {
        case (.day(let day, let route, let label), .day(let otherDay, let otherRoute, let otherLabel)):
            (day, route, label) < (otherDay, otherRoute, otherLabel)
        case (.day, .code): true
        case (.code, .day): false
        case (.code(let code), .code(let other)): code < other
        }
    }
}

/// A count that is added to the stored one of its heading and outcome.
package struct CountAddition: Hashable, Sendable {
    /// The heading.
    package let heading: CountHeading

    /// The name of the outcome, as ``OutcomeCounts/stored`` has it.
    package let outcome: String

    /// The number of uses.
    package let count: Int

    /// Creates an addition.
    package init(to heading: CountHeading, outcome: String, count: Int) {
        self.heading = heading
        self.outcome = outcome
        self.count = count
    }

    /// Compares the bytes of the texts.
    package static func == (left: CountAddition, right: CountAddition) -> Bool {
        left.heading == right.heading && left.outcome.bytewise == right.outcome.bytewise && left.count == right.count
    }

    /// Hashes the heading and the bytes of the outcome.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(heading)
        hasher.combine(outcome.bytewise)
    }
}

/// Counts that are written at once: few enough to hold no other write up for long.
package struct CountSlice: Sendable {
    /// The most additions of a slice.
    package static let maximumSize = 128

    /// The identity of the slice, 32 hexadecimal digits at random: a slice that is sent again after a lost answer is
    /// added once.
    package let id: String

    /// The additions, in the order of their headings and outcomes, none twice: servers that write at the same time wait
    /// for each other, and never in a circle.
    package let additions: [CountAddition]

    /// Creates a slice of additions, at most ``maximumSize``, in any order.
    package init(_ additions: [CountAddition]) {
        let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
        id = digits.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
        self.additions = additions.sorted {
            ($0.heading, $0.outcome.bytewise) < ($1.heading, $1.outcome.bytewise)
        }
    }
}

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

/// A store of the counts of uses of links: the port through which servers add up, and one answers for all.
///
/// Every implementation passes one conformance suite, `LinkCountStoreConformance` in the tests.
package protocol LinkCountStore: Sendable {
    /// Adds the counts of a slice to those that are stored, all or none; when this returns, they survive a loss of power.
    ///
    /// A slice that a failed call may have added can be sent again: it is added once.
    func add(_ slice: CountSlice) async throws

    /// Reads a page of counts, in the order of their headings' bytes.
    ///
    /// - Returns: At most as many rows as the question allows; fewer if no more follow.
    func counts(_ question: CountQuestion) async throws -> [CountRow]

    /// Deletes some of the counts of the days before one; no other work is held up for long.
    ///
    /// - Returns: Whether there may be more.
    func dropCounts(before day: CountedDay) async throws -> Bool
}

/// The bounds of stored counts.
package enum LinkCountLimits {
    /// The number of days for which counts are kept, the present one included.
    package static let dayCount = 400

    /// The most codes that a question names.
    package static let namedCodeCount = 100

    /// The number of counts that are deleted at once.
    package static let droppedCount = 250
}
