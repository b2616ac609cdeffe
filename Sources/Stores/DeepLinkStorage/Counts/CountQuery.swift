package import DeepLinkCore

/// A query for counts: the headings, their order, and the page.
package struct CountQuery: Sendable {
    /// A part of a heading.
    package enum Part: String, CaseIterable, Sendable {
        /// The day in UTC.
        case day

        /// The route that links open. Empty for links that failed.
        case route

        /// The label of short links. Empty for all other links.
        case label

        /// The app that has the route in ``CountQuery/apps``. Empty for all other routes, and for links that failed.
        case app
    }

    /// The kind of headings that counts are grouped by.
    package enum Headings: Sendable {
        /// Parts of the headings within a range of days. Counts are grouped and ordered by these parts, which are
        /// distinct and not empty.
        case days(ClosedRange<CountedDay>, by: [Part])

        /// The codes of short links. Their counts are totals of all days.
        case codes

        /// Whether counts are grouped by apps.
        package var haveApps: Bool {
            guard case .days(_, let parts) = self else { return false }
            return parts.contains(.app)
        }

        /// The columns of stored counts with the headings.
        package var columns: [Column] {
            switch self {
            case .days(_, let parts): parts.map { Column(name: $0.rawValue, isDay: $0 == .day) }
            case .codes: [Column(name: "code", isDay: false)]
            }
        }
    }

    /// A column of stored counts.
    package struct Column: Sendable {
        /// The name of the column.
        package let name: String

        /// Whether the column has numbers of days, and not texts.
        package let isDay: Bool
    }

    /// The kind of headings that the rows have.
    package let headings: Headings

    /// The app of each route that only one named app has.
    ///
    /// Only the part ``Part/app`` uses it.
    package let apps: [ByteText: ByteText]

    /// The codes to count, at most ``LinkCountLimits/namedCodeCount``, or `nil` for all.
    package let codes: [ByteText]?

    /// The heading after which the page begins, or `nil` for the first page.
    package let after: CountRow.Heading?

    /// The maximum number of rows of the page.
    package let limit: Int

    /// Creates a query.
    package init(
        _ headings: Headings,
        apps: [ByteText: ByteText] = [:],
        of codes: [ByteText]? = nil,
        after: CountRow.Heading? = nil,
        limit: Int
    ) {
        self.headings = headings
        self.apps = apps
        self.codes = codes
        self.after = after
        self.limit = limit
    }
}

/// The counts under one heading.
package struct CountRow: Sendable {
    /// The values of the parts that a query names, in its order.
    ///
    /// For codes, the code alone.
    package typealias Heading = [ByteText]

    /// The values by which the counts of the row are grouped.
    package let heading: Heading

    /// The number of uses under the heading, by outcome.
    package internal(set) var counts = OutcomeCounts()

    /// Creates a row.
    package init(_ heading: Heading, counts: OutcomeCounts) {
        self.heading = heading
        self.counts = counts
    }
}

extension [CountRow] {
    /// Adds a stored count to the last row if it has the heading.
    ///
    /// Otherwise appends a row.
    ///
    /// An outcome that this version doesn't know adds nothing.
    package mutating func add(_ count: Int, storedAs outcome: String, under heading: CountRow.Heading) {
        if last?.heading != heading { append(CountRow(heading, counts: OutcomeCounts())) }
        self[self.count - 1].counts.add(count, storedAs: outcome)
    }
}
