package import DeepLinkCore
import Synchronization

/// The counts of requests to a server since it started, and in the last hour.
///
/// Counting never waits, and memory doesn't grow with the number of requests.
///
/// A resolved link costs one addition in an array. The counts of a minute are added to the others when it is over, or
/// when a report is requested.
package final class ResolutionCounts: Sendable {
    /// The maximum number of distinguished unmatched links.
    ///
    /// Each with a share above one in that number is included.
    package static let unmatchedCapacity = 2000

    /// The number of minutes in the last hour.
    private static let minuteCount: Int64 = 60

    /// The number of reported hours.
    private static let hourCount: Int64 = 24

    private struct Minute {
        var number: Int64 = -1
        var tally = ResolutionTally()
    }

    private struct Hour {
        var number: Int64 = -1
        var counts = SIMD4<Int>()
    }

    private struct State {
        var routes = CountedRoutes()
        var total = ResolutionTally()
        var running = RunningMinute()
        var minutes = Array(repeating: Minute(), count: Int(ResolutionCounts.minuteCount))
        var hours = Array(repeating: Hour(), count: Int(ResolutionCounts.hourCount))
        var unmatched = UnmatchedLinks(capacity: ResolutionCounts.unmatchedCapacity)
        var words: (version: ByteText, words: CatalogWords)?

        /// Starts a new minute if the current one is over.
        mutating func begin(_ minute: Int64) {
            guard running.number != minute else { return }
            settle()
            running.number = minute
        }

        /// Adds the counts of the current minute to the others.
        mutating func settle() {
            let number = running.number
            guard number >= 0, running.outcomes != SIMD4() else { return }
            let (tally, outcomes) = running.take()
            total.add(tally)
            let place = Int(number % ResolutionCounts.minuteCount)
            if minutes[place].number != number { minutes[place] = Minute(number: number) }
            minutes[place].tally.add(tally)
            let hourPlace = Int(number / 60 % ResolutionCounts.hourCount)
            if hours[hourPlace].number != number / 60 { hours[hourPlace] = Hour(number: number / 60) }
            hours[hourPlace].counts &+= outcomes
        }
    }

    /// Whether there is a resolution log, for which events are created.
    package let isLogged: Bool

    private let log: (any ResolutionLog)?
    private let pages = PageCounts()

    private let state = Mutex(State())
    private let start: Timestamp

    /// Begins to count at a given time.
    package init(since start: Timestamp, log: (any ResolutionLog)? = nil) {
        self.start = start
        self.log = log
        isLogged = log != nil
    }

    /// Counts a resolved link.
    ///
    /// A redeemed continuation also counts as a passed gate.
    package func resolved(_ plan: borrowing RoutePlan, isContinuation: Bool, at time: Timestamp) {
        let minute = Self.minute(of: time)
        let (catalog, top) = (plan.catalog, plan.topRouteNumber)
        let passed = isContinuation ? Requirement(level: plan.requiredLevel, grants: plan.requiredGrants) : nil
        state.withLock { state in
            state.begin(minute)
            let route = top.flatMap { state.routes.number(of: $0, in: catalog) }
            state.running.note(route: route, lane: 0)
            if let passed { state.running.notePassed(passed, ladder: state.routes.ladder(of: catalog)) }
        }
    }

    /// Counts a gated link.
    package func gated(_ denial: Denial, in catalog: RouteCatalog, at time: Timestamp) {
        let minute = Self.minute(of: time)
        let gate = denial.firstMissing
        state.withLock { state in
            state.begin(minute)
            let route = state.routes.number(named: denial.route, in: catalog)
            switch gate {
            case .level(let level): state.running.note(route: route, lane: Int(level.rank))
            case .grant(let grant): state.running.note(route: route, gate: grant)
            }
        }
    }

    /// Counts a failed link by its problem code.
    ///
    /// - Parameters:
    ///   - code: The problem code.
    ///   - link: The link.
    ///   - unmatched: The segments from the first unmatched one on, or `nil` for the whole link.
    ///   - catalog: The catalog.
    ///   - time: The time.
    package func failed(
        _ code: String,
        link: DeepLink,
        unmatched: [String]? = nil,
        in catalog: RouteCatalog,
        at time: Timestamp
    ) {
        let minute = Self.minute(of: time)
        let isUnmatched = code.bytewise == "no-matching-route" || code.bytewise == "unknown-origin"
        let words = isUnmatched ? words(of: catalog) : nil
        let (masked, withWord) = (words?.masked(link), words?.masked(link, showingFirstOf: unmatched))
        state.withLock { state in
            state.begin(minute)
            state.running.note(problem: code.bytewise)
            if let masked { state.unmatched.count(masked, withWord: withWord) }
        }
    }

    /// Counts a page or redirect for a visitor of a link.
    package func visited(_ visit: PageVisit, in catalog: RouteCatalog, at time: Timestamp) {
        var unmatched: (masked: ByteText, withWord: ByteText?)?
        if visit.plan == nil, let link = visit.request?.link {
            let words = words(of: catalog)
            unmatched = (words.masked(link), words.masked(link, showingFirstOf: visit.unmatched))
        }
        let route = visit.plan?.topRouteNumber
        pages.count(visit.outcome, route: route, unmatched: unmatched, in: catalog, minute: Self.minute(of: time))
    }

    /// Logs a resolution that is already counted.
    package func log(_ event: ResolutionEvent) { log?.note(event) }

    private static func minute(of time: Timestamp) -> Int64 { time.millisecondsSinceEpoch / 60_000 }

    /// Returns the words of a catalog, collected once for each version.
    private func words(of catalog: RouteCatalog) -> CatalogWords {
        let version = catalog.version.bytewise
        if let known = state.withLock({ $0.words }), known.version == version { return known.words }
        let words = CatalogWords(catalog)
        state.withLock { $0.words = (version, words) }
        return words
    }

    /// Returns the counts up to a time.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - levels: The levels of the gates to list first, even without counts.
    ///   - grants: The grants of the gates to list next, likewise.
    /// - Returns: The counts.
    package func report(
        at time: Timestamp,
        levels: LevelLadder = .standard,
        grants: GrantList = .none
    ) -> ResolutionReport {
        let minute = Self.minute(of: time)
        let names = CountedNames(levels: levels, grants: grants)
        return state.withLock { state in
            state.settle()
            var lastHour = ResolutionTally()
            for slot in state.minutes where slot.number > minute - Self.minuteCount && slot.number <= minute {
                lastHour.add(slot.tally)
            }
            return ResolutionReport(
                since: start,
                total: ResolutionReport.Counts(state.total, of: state.routes, names: names),
                lastHour: ResolutionReport.Counts(lastHour, of: state.routes, names: names),
                hours: state.hours.filter { $0.number >= 0 && $0.number > minute / 60 - Self.hourCount }
                    .sorted { $0.number < $1.number }
                    .map { hour in
                        ResolutionReport.Hour(
                            start: Timestamp(millisecondsSinceEpoch: hour.number * 3_600_000),
                            counts: hour.counts
                        )
                    },
                unmatched: state.unmatched.top(ResolutionReport.unmatchedCount),
                unmatchedTotal: state.unmatched.total,
                droppedCount: log?.droppedCount,
                pages: pages.report(at: minute)
            )
        }
    }
}
