package import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// The counted uses of links that are not yet written, by day, route, label and code (decision record 44).
///
/// Counting never waits for a store. A link without a label costs one addition in an array. Memory is bounded
/// (``maximumHeadingCount-type.property``). Uses under further headings are counted by day only, with ``others`` as
/// route and label, and without a code.
package final class LinkCounts: Sendable {
    /// The maximum number of headings between two writes.
    package static let maximumHeadingCount = 50_000

    /// The route and label for uses under headings beyond the maximum.
    package static let others: ByteText = "…"

    private let state = Mutex(State())
    private let maximumHeadingCount: Int

    /// Creates empty counts.
    ///
    /// - Parameter maximumHeadingCount: The maximum number of headings between two writes.
    package init(maximumHeadingCount: Int = LinkCounts.maximumHeadingCount) {
        self.maximumHeadingCount = maximumHeadingCount
    }

    /// Counts a link that an app opened.
    ///
    /// Other uses are not counted.
    package func opened(_ plan: borrowing RoutePlan, use: borrowing LinkUse, at time: Timestamp) {
        guard use.isOfApp else { return }
        let (lanes, day) = (use.opened, CountedDay(of: time))
        let (catalog, top, shortLink) = (plan.catalog, plan.topEdgeNumber, use.shortLink)
        state.withLock { state in
            if shortLink == nil, let top {
                state.add(lanes, route: catalog.edges[top].child, in: catalog, on: day)
            } else {
                let route = top.map { catalog.routes[catalog.edges[$0].child].name } ?? ""
                add(to: &state, route: route.bytewise, shortLink: shortLink, on: day) { $0.add(lanes) }
            }
        }
    }

    /// Counts a gated link in an app.
    ///
    /// Other uses are not counted.
    package func gated(_ denial: borrowing Denial, use: borrowing LinkUse, at time: Timestamp) {
        guard use.isOfApp else { return }
        let gate = denial.catalog.text(of: denial.firstMissing).bytewise
        add(route: denial.topRoute.bytewise, shortLink: use.shortLink, at: time) { $0.addGated(by: gate) }
    }

    /// Counts a failed link in an app.
    ///
    /// Other uses are not counted.
    package func failed(use: borrowing LinkUse, at time: Timestamp) {
        guard use.isOfApp else { return }
        add(route: "", shortLink: use.shortLink, at: time) { $0.add(Self.failure) }
    }

    /// Counts a page, preview or redirect for a visitor of a link that resolves.
    package func visited(_ visit: borrowing PageVisit, at time: Timestamp) {
        let lanes: OutcomeCounts.Lanes
        switch visit.outcome {
        case .page: lanes = Self.page
        case .preview: lanes = Self.preview
        case .redirected: lanes = Self.redirect
        case .unknown: return
        }
        let route = visit.plan?.topRoute ?? ""
        add(route: route.bytewise, shortLink: visit.shortLink, at: time) { $0.add(lanes) }
    }

    /// Returns all counts in batches, and resets them.
    package func take() -> [CountSlice] {
        let headings = state.withLock { $0.take() }
        guard !headings.isEmpty else { return [] }
        let additions = headings.sorted { $0.key < $1.key }
            .flatMap { heading, counts in
                counts.stored.map { CountAddition(to: heading, outcome: $0.outcome, count: $0.count) }
            }
        return stride(from: 0, to: additions.count, by: CountSlice.maximumSize)
            .map { CountSlice(Array(additions[$0..<min($0 + CountSlice.maximumSize, additions.count)])) }
    }

    private static let failure = OutcomeCounts.one(.failed)
    private static let page = OutcomeCounts.one(.page)
    private static let preview = OutcomeCounts.one(.preview)
    private static let redirect = OutcomeCounts.one(.redirected)

    private func add(
        route: ByteText,
        shortLink: ShortLinkMark?,
        at time: Timestamp,
        count: (inout OutcomeCounts) -> Void
    ) {
        let day = CountedDay(of: time)
        state.withLock { add(to: &$0, route: route, shortLink: shortLink, on: day, count: count) }
    }

    /// Counts a use by day, and by code unless the short link is about a user.
    private func add(
        to state: inout State,
        route: ByteText,
        shortLink: ShortLinkMark?,
        on day: CountedDay,
        count: (inout OutcomeCounts) -> Void
    ) {
        let heading = CountHeading.day(day, route: route, label: shortLink?.label?.bytewise ?? "")
        if state.hasRoom(for: heading, atMost: maximumHeadingCount) {
            count(&state.headings[heading, default: OutcomeCounts()])
        } else {
            count(&state.headings[.day(day, route: Self.others, label: Self.others), default: OutcomeCounts()])
        }
        guard let shortLink, !shortLink.isAboutUser else { return }
        let code = CountHeading.code(shortLink.code.bytewise)
        guard state.hasRoom(for: code, atMost: maximumHeadingCount) else { return }
        count(&state.headings[code, default: OutcomeCounts()])
    }
}

/// The counts since the last write.
private struct State {
    /// The counts of opened links without a label, by the route's index in the current catalog, for the current day.
    private var opened: [OutcomeCounts.Lanes] = []
    private var day = CountedDay(number: 0)
    private var catalog: RouteCatalog?

    /// All other counts.
    var headings: [CountHeading: OutcomeCounts] = [:]

    /// Counts a link without a label.
    @inline(__always)
    mutating func add(_ lanes: OutcomeCounts.Lanes, route: Int, in catalog: RouteCatalog, on day: CountedDay) {
        if self.catalog !== catalog || self.day != day { begin(with: catalog, on: day) }
        opened[route] &+= lanes
    }

    /// Returns whether a heading has counts, or there is room for it.
    func hasRoom(for heading: CountHeading, atMost count: Int) -> Bool {
        headings.count < count || headings[heading] != nil
    }

    /// Returns all counts and resets them.
    mutating func take() -> [CountHeading: OutcomeCounts] {
        settle()
        catalog = nil
        opened = []
        defer { headings = [:] }
        return headings
    }

    private mutating func begin(with catalog: RouteCatalog, on day: CountedDay) {
        settle()
        self.catalog = catalog
        self.day = day
        opened = Array(repeating: OutcomeCounts.Lanes(), count: catalog.routes.count)
    }

    /// Adds the counts of routes to the headings, even beyond the maximum, since a catalog is itself bounded.
    private mutating func settle() {
        guard let catalog else { return }
        for (place, lanes) in opened.enumerated() where lanes != OutcomeCounts.Lanes() {
            let heading = CountHeading.day(day, route: catalog.routes[place].name.bytewise, label: "")
            headings[heading, default: OutcomeCounts()].add(lanes)
        }
    }
}

/// The parts of a link's use that select its counters: flags for its caller and its path, and its short link.
package struct LinkUse: Sendable {
    /// The flags of a use.
    package struct Signs: OptionSet, Sendable {
        package let rawValue: UInt8

        /// Creates a set of flags.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The request was authenticated by an end user's own token.
        package static let ofUser = Signs(rawValue: 1)

        /// The caller sent the version of an app.
        package static let ofApp = Signs(rawValue: 2)

        /// The user was at a gate before.
        package static let passed = Signs(rawValue: 4)

        /// The link is a deferred deep link.
        package static let arrived = Signs(rawValue: 8)
    }

    /// The flags of this use.
    package let signs: Signs

    /// The short link in the request, or `nil` for any other link.
    package let shortLink: ShortLinkMark?

    /// Creates a use from its flags and its short link.
    package init(_ signs: Signs, of shortLink: ShortLinkMark? = nil) {
        self.signs = signs
        self.shortLink = shortLink
    }

    /// Whether an app used the link.
    ///
    /// A service that resolves links itself says nothing about a person.
    package var isOfApp: Bool { !signs.isDisjoint(with: [.ofUser, .ofApp]) }

    /// The counters to increment if the use opened the link.
    var opened: OutcomeCounts.Lanes {
        var lanes = Self.opening
        if signs.contains(.ofUser) { lanes &+= Self.openingByUser }
        if signs.contains(.passed) { lanes &+= Self.passing }
        if signs.contains(.arrived) { lanes &+= Self.arriving }
        return lanes
    }

    private static let opening = OutcomeCounts.one(.opened)
    private static let openingByUser = OutcomeCounts.one(.openedByUsers)
    private static let passing = OutcomeCounts.one(.passed)
    private static let arriving = OutcomeCounts.one(.arrived)
}

/// The writer of counts to a store.
///
/// If the store rejects counts, they stay with the writer, in the tried batches, and new counts are added up in the
/// meantime. An unavailable store costs no more memory than an available one.
package struct LinkCountWriter {
    private let counts: LinkCounts
    private let store: any LinkCountStore

    /// The batches still to be written, the next one last.
    private var slices: [CountSlice] = []

    /// Creates a writer of counts to a store.
    package init(_ counts: LinkCounts, to store: any LinkCountStore) {
        self.counts = counts
        self.store = store
    }

    /// Writes all counts so far.
    ///
    /// - Throws: The error of the store. Unwritten counts are kept.
    package mutating func write() async throws {
        // Previously rejected counts come first, followed by the new ones.
        for _ in 0..<2 {
            if slices.isEmpty { slices = counts.take().reversed() }
            while let slice = slices.last {
                try await store.add(slice)
                slices.removeLast()
            }
        }
    }

    /// Deletes the counts of days beyond the retention period.
    ///
    /// - Parameter today: The current day.
    /// - Throws: The error of the store, or `CancellationError`. The rest is deleted the next time.
    package func dropOld(on today: CountedDay) async throws {
        let first = today.advanced(by: 1 - LinkCountLimits.dayCount)
        while try await store.dropCounts(before: first) { try Task.checkCancellation() }
    }
}
