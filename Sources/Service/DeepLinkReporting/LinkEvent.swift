package import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage
import Synchronization

/// One use of a link: a resolution, the redemption of a continuation, or a page for a visitor.
///
/// Every observer gets the same event. It contains no user, no token, and nothing that identifies a visitor.
package struct LinkEvent: Sendable {
    /// The outcome of a use.
    package enum Outcome: Sendable {
        /// The link resolves for the user.
        case resolved(Resolved)

        /// The user lacks a level or a grant.
        case gated(Gated)

        /// The link failed, with the segments from the first unmatched one on, or `nil` for the whole link.
        case failed(ProblemCode, unmatched: [String]?)
    }

    /// A resolved link.
    ///
    /// It is a class, so that a cached answer is told again without a copy of its plan.
    package final class Resolved: Sendable {
        /// The plan of the link.
        package let plan: RoutePlan

        /// The topmost route, as an index into the catalog's routes, or `nil` for an empty stack.
        package let route: Int?

        /// Creates the outcome with a plan.
        package init(_ plan: RoutePlan) {
            self.plan = plan
            route = plan.topRouteNumber
        }
    }

    /// A gated link.
    ///
    /// It is a class, so that a cached answer is told again without a copy of its denial.
    package final class Gated: Sendable {
        /// The denial of the link.
        package let denial: Denial

        /// Creates the outcome with a denial.
        package init(_ denial: Denial) {
            self.denial = denial
        }
    }

    /// The flags of a use.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8

        /// Creates a set of flags.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Creates an empty set, for less than an empty literal costs in another target.
        package init() { rawValue = 0 }

        /// The request was authenticated by an end user's own token.
        package static let ofUser = Traits(rawValue: 1)

        /// The caller sent the version of an app.
        package static let ofApp = Traits(rawValue: 2)

        /// A continuation was redeemed, so that its user was at a gate before.
        package static let redeemed = Traits(rawValue: 4)

        /// The link is a deferred deep link.
        package static let arrived = Traits(rawValue: 8)

        /// The request only tests a link, or repeats a use, so that reports and stored counts omit it.
        package static let uncounted = Traits(rawValue: 16)
    }

    /// The outcome, with the plan, denial or problem code.
    package let outcome: Outcome

    /// The request with the link, or `nil` if a visitor's link can't be parsed.
    package let request: ResolutionRequest?

    /// The kind of page or redirect that a visitor got, or `nil` for a resolution.
    package let page: PageVisit.Outcome?

    /// The flags.
    package let traits: Traits

    /// The path by which this request's link reached the app as a deferred deep link, or `nil` for any other link.
    package let arrival: Arrival?

    /// The short link in the request, or of the redeemed continuation, or `nil` for any other link.
    package let shortLink: ShortLinkCountKey?

    /// The catalog of the use.
    package let catalog: RouteCatalog

    /// The time of the use.
    package let time: Timestamp

    /// The id of the HTTP request, or an empty text without one.
    package let requestID: String

    /// Creates the event of a resolution or a redemption.
    package init(
        _ outcome: Outcome,
        of request: ResolutionRequest,
        traits: Traits = [],
        arrival: Arrival? = nil,
        shortLink: ShortLinkCountKey? = nil,
        catalog: RouteCatalog,
        at time: Timestamp,
        requestID: String = ""
    ) {
        self.outcome = outcome
        self.request = request
        page = nil
        self.traits = traits
        self.arrival = arrival
        self.shortLink = shortLink
        self.catalog = catalog
        self.time = time
        self.requestID = requestID
    }

    /// Creates the event of a page or redirect for a visitor.
    package init(
        _ visit: PageVisit,
        shortLink: ShortLinkCountKey? = nil,
        catalog: RouteCatalog,
        at time: Timestamp,
        requestID: String = ""
    ) {
        outcome = visit.resolved.map { .resolved($0) } ?? .failed(.noMatchingRoute, unmatched: visit.unmatched)
        request = visit.request
        page = visit.outcome
        traits = []
        arrival = nil
        self.shortLink = shortLink
        self.catalog = visit.resolved?.plan.catalog ?? catalog
        self.time = time
        self.requestID = requestID
    }
}

extension LinkEvent {
    /// Whether an app used the link.
    ///
    /// A service that resolves links itself says nothing about a person.
    package var isOfApp: Bool { traits.contains(.ofUser) || traits.contains(.ofApp) }

    /// Whether reports and stored counts include the use.
    package var isCounted: Bool { !traits.contains(.uncounted) }
}

/// An observer of every use of a link.
///
/// An observer must not wait, since a response is written after it returns. Observers are classes, so that each event
/// refers to them without a copy.
package protocol LinkEventObserver: AnyObject, Sendable {
    /// Observes a use of a link.
    func observe(_ event: LinkEvent)
}

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

    private func add(
        route: ByteText,
        shortLink: ShortLinkCountKey?,
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
        shortLink: ShortLinkCountKey?,
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

extension LinkCounts: LinkEventObserver {
    /// Counts a page for a visitor, or a use of a link in an app.
    ///
    /// Other uses are not counted.
    package func observe(_ event: LinkEvent) {
        guard event.isCounted else { return }
        if let page = event.page { return count(page, of: event) }
        guard event.isOfApp else { return }
        switch event.outcome {
        case .resolved(let link): count(link, of: event)
        case .gated(let link):
            let denial = link.denial
            let gate = denial.catalog.text(of: denial.firstMissing).bytewise
            add(route: denial.topRoute.bytewise, shortLink: event.shortLink, at: event.time) { $0.addGated(by: gate) }
        case .failed: add(route: "", shortLink: event.shortLink, at: event.time) { $0.add(Self.failure) }
        }
    }

    private static let failure = OutcomeCounts.one(.failed)
    private static let page = OutcomeCounts.one(.page)
    private static let preview = OutcomeCounts.one(.preview)
    private static let redirect = OutcomeCounts.one(.redirected)

    /// Counts a link that an app opened.
    private func count(_ link: LinkEvent.Resolved, of event: LinkEvent) {
        let (lanes, day, catalog) = (event.traits.opened, CountedDay(of: event.time), link.plan.catalog)
        state.withLock { state in
            if event.shortLink == nil, let route = link.route {
                state.add(lanes, route: route, in: catalog, on: day)
            } else {
                let route = link.route.map { catalog.routes[$0].name } ?? ""
                add(to: &state, route: route.bytewise, shortLink: event.shortLink, on: day) { $0.add(lanes) }
            }
        }
    }

    /// Counts a page, preview or redirect for a visitor of a link that resolves.
    private func count(_ page: PageVisit.Outcome, of event: LinkEvent) {
        let lanes: OutcomeCounts.Lanes
        switch page {
        case .page: lanes = Self.page
        case .preview: lanes = Self.preview
        case .redirected: lanes = Self.redirect
        case .unknown: return
        }
        var route = ""
        if case .resolved(let link) = event.outcome { route = link.plan.topRoute ?? "" }
        add(route: route.bytewise, shortLink: event.shortLink, at: event.time) { $0.add(lanes) }
    }
}

extension LinkEvent.Traits {
    /// The counters to increment if the use opened the link.
    fileprivate var opened: OutcomeCounts.Lanes {
        var lanes = Self.opening
        if contains(.ofUser) { lanes &+= Self.openingByUser }
        if contains(.redeemed) { lanes &+= Self.passing }
        if contains(.arrived) { lanes &+= Self.arriving }
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
