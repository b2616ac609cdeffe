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
