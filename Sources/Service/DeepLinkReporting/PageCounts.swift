package import DeepLinkCore
import Synchronization

/// The counts of pages and redirects for visitors since the server started, and in the last hour.
final class PageCounts: Sendable {
    /// The number of minutes in the last hour.
    private static let minuteCount: Int64 = 60

    private struct Minute {
        var number: Int64 = -1
        var tally = PageTally()
    }

    private struct State {
        var routes = CountedRoutes()
        var total = PageTally()
        var minutes = Array(repeating: Minute(), count: Int(PageCounts.minuteCount))
        var unmatched = UnmatchedLinks(capacity: ResolutionCounts.unmatchedCapacity)
    }

    private let state = Mutex(State())

    /// Counts a page or redirect.
    ///
    /// - Parameters:
    ///   - outcome: the kind of page or redirect.
    ///   - route: the route of the link, as an index into the catalog's routes.
    ///   - link: the unmatched link, with only the catalog's words, and with its first unmatched segment.
    ///   - catalog: the catalog.
    ///   - minute: the minute since 1970.
    func count(
        _ outcome: PageVisit.Outcome,
        route: Int?,
        unmatched link: (masked: ByteText, withWord: ByteText?)?,
        in catalog: RouteCatalog,
        minute: Int64
    ) {
        state.withLock { state in
            let number = route.flatMap { state.routes.number(of: $0, in: catalog) }
            let place = Int(minute % Self.minuteCount)
            if state.minutes[place].number != minute { state.minutes[place] = Minute(number: minute) }
            state.minutes[place].tally.note(outcome, route: number)
            state.total.note(outcome, route: number)
            if let link { state.unmatched.count(link.masked, withWord: link.withWord) }
        }
    }

    /// Returns the counts up to a minute, or `nil` if there are none.
    func report(at minute: Int64) -> ResolutionReport.Pages? {
        state.withLock { state in
            guard state.total != PageTally() else { return nil }
            var lastHour = PageTally()
            for slot in state.minutes where slot.number > minute - Self.minuteCount && slot.number <= minute {
                lastHour.add(slot.tally)
            }
            return ResolutionReport.Pages(
                total: ResolutionReport.PageCounts(state.total, names: state.routes.names),
                lastHour: ResolutionReport.PageCounts(lastHour, names: state.routes.names),
                unmatched: state.unmatched.top(ResolutionReport.unmatchedCount),
                unmatchedTotal: state.unmatched.total
            )
        }
    }
}

/// The counts of pages and redirects in a period.
struct PageTally: Hashable, Sendable {
    /// All counts: pages, previews, redirects, and links that do not resolve.
    private(set) var sum = SIMD4<Int>()

    /// The counts of each route, by its number.
    private(set) var routes: [Int: SIMD4<Int>] = [:]

    /// Counts a page or redirect.
    mutating func note(_ outcome: PageVisit.Outcome, route: Int?) {
        sum[outcome.lane] &+= 1
        if let route { routes[route, default: SIMD4()][outcome.lane] &+= 1 }
    }

    /// Adds another tally.
    mutating func add(_ other: PageTally) {
        sum &+= other.sum
        routes.merge(other.routes, uniquingKeysWith: &+)
    }
}

extension PageVisit.Outcome {
    /// The index of the outcome in a vector of counts.
    fileprivate var lane: Int {
        switch self {
        case .page: 0
        case .preview: 1
        case .redirected: 2
        case .unknown: 3
        }
    }
}

/// A page or redirect for a visitor of a link, for counts and logs.
///
/// It contains no data that identifies the visitor.
package struct PageVisit: Sendable {
    /// The kind of page or redirect.
    package enum Outcome: String, CaseIterable, Sendable {
        /// The page of the link, in a browser.
        case page

        /// The page of the link, for a preview or an unknown bot.
        case preview

        /// A redirect to a fallback.
        case redirected

        /// The page of a link that does not resolve.
        case unknown
    }

    /// The kind of page or redirect that the visitor got.
    package let outcome: Outcome

    /// The request, or `nil` if the link can't be parsed.
    package let request: ResolutionRequest?

    /// The plan of the link, at the highest level, or `nil` if it does not resolve.
    package let resolved: LinkEvent.Resolved?

    /// The segments of an unresolved link from the first unmatched one on, or `nil` for the whole link.
    package let unmatched: [String]?

    /// Creates a visit from its parts.
    package init(
        _ outcome: Outcome,
        of request: ResolutionRequest?,
        plan: RoutePlan?,
        unmatched: [String]? = nil
    ) {
        self.outcome = outcome
        self.request = request
        resolved = plan.map { LinkEvent.Resolved($0) }
        self.unmatched = unmatched
    }
}

/// The key by which uses of a short link are counted, without its target or the user that it is about.
package struct ShortLinkCountKey: Hashable, Sendable {
    /// The code as stored.
    ///
    /// It may differ from the code that was sent.
    package let code: String

    /// The label of the link, or `nil` for none.
    package let label: String?

    /// Whether the link is about a user, so that its openings are counted by its label, and never by its code.
    package let isAboutUser: Bool

    /// Creates the key of a short link.
    package init(code: String, label: String?, isAboutUser: Bool) {
        self.code = code
        self.label = label
        self.isAboutUser = isAboutUser
    }
}
