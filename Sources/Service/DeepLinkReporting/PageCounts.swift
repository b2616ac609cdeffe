import DeepLinkCore
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
