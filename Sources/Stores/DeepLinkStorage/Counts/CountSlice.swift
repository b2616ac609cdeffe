package import DeepLinkCore

/// The heading under which uses of links are counted.
package enum CountHeading: Hashable, Sendable {
    /// A day, with the route that a link opens and the label of the short link. Either may be empty.
    case day(CountedDay, route: ByteText, label: ByteText)

    /// The code of a short link. Its counts are totals of all days.
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

/// A count to add to the stored count of its heading and outcome.
package struct CountAddition: Hashable, Sendable {
    /// The heading under which the uses are counted.
    package let heading: CountHeading

    /// The name of the outcome, as in ``OutcomeCounts/stored``.
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

/// A batch of counts, small enough not to delay other writes.
package struct CountSlice: Sendable {
    /// The maximum number of additions in a batch.
    package static let maximumSize = 128

    /// The identity of the batch, 32 random hexadecimal digits.
    ///
    /// A batch that is sent again after a lost response is added once.
    package let id: String

    /// The additions, distinct, in the order of their headings and outcomes, so that concurrent writers cannot
    /// deadlock.
    package let additions: [CountAddition]

    /// Creates a batch of at most ``maximumSize`` additions, in any order.
    package init(_ additions: [CountAddition]) {
        let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
        id = digits.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
        self.additions = additions.sorted {
            ($0.heading, $0.outcome.bytewise) < ($1.heading, $1.outcome.bytewise)
        }
    }
}

/// A store of link counts, to which all servers add, and which any server can query.
///
/// Every implementation passes one conformance suite, `LinkCountStoreConformance` in the tests.
package protocol LinkCountStore: Sendable {
    /// Adds all counts of a batch to the stored ones, or none. When this returns, they survive a power failure.
    ///
    /// If a call fails and its outcome is unknown, the batch can be sent again. It is added once.
    func add(_ slice: CountSlice) async throws

    /// Reads a page of counts, in the order of their headings' bytes.
    ///
    /// - Returns: At most as many rows as the query allows. Fewer rows mean that no more follow.
    func counts(_ question: CountQuery) async throws -> [CountRow]

    /// Deletes some of the counts from before a day, in a short transaction.
    ///
    /// - Returns: Whether there may be more.
    func dropCounts(before day: CountedDay) async throws -> Bool
}

/// The limits of stored counts.
package enum LinkCountLimits {
    /// The number of days for which counts are stored, the current one included.
    package static let dayCount = 400

    /// The maximum number of codes in a query.
    package static let namedCodeCount = 100

    /// The number of counts to delete at once.
    package static let droppedCount = 250
}
