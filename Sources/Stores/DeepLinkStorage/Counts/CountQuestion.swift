package import DeepLinkCore

/// A question for counts: their headings, in an order, and the part of them that a page has.
package struct CountQuestion: Sendable {
    /// A part of a heading.
    package enum Part: String, CaseIterable, Sendable {
        /// The day in UTC.
        case day

        /// The route that links lead to; empty for those that lead nowhere.
        case route

        /// The label of short links; empty for all others.
        case label
    }

    /// The headings.
    package enum Headings: Sendable {
        /// Parts of the headings of some days, by which counts are added up and ordered; not empty, and none twice.
        case days(ClosedRange<CountedDay>, by: [Part])

        /// The codes of short links, whose counts are totals of all days.
        case codes
    }

    /// The headings.
    package let headings: Headings

    /// The codes that a question about codes is about, at most ``LinkCountLimits/namedCodeCount``; `nil` for all.
    package let codes: [ByteText]?

    /// The heading after which the page begins; `nil` for the first page.
    package let after: CountRow.Heading?

    /// The most rows of the page.
    package let limit: Int

    /// Creates a question.
    package init(_ headings: Headings, of codes: [ByteText]? = nil, after: CountRow.Heading? = nil, limit: Int) {
        self.headings = headings
        self.codes = codes
        self.after = after
        self.limit = limit
    }
}

/// The counts under one heading.
package struct CountRow: Sendable {
    /// The texts of the parts that a question names, in its order; of codes, the code alone.
    package typealias Heading = [ByteText]

    /// The heading.
    package let heading: Heading

    /// The counts.
    package internal(set) var counts = OutcomeCounts()

    /// Creates a row.
    package init(_ heading: Heading, counts: OutcomeCounts) {
        self.heading = heading
        self.counts = counts
    }
}

extension [CountRow] {
    /// Adds a stored count to the last row, or under another heading to a new one.
    ///
    /// An outcome that this version doesn't know adds nothing.
    package mutating func add(_ count: Int, storedAs outcome: String, under heading: CountRow.Heading) {
        if last?.heading != heading { append(CountRow(heading, counts: OutcomeCounts())) }
        self[self.count - 1].counts.add(count, storedAs: outcome)
    }
}
