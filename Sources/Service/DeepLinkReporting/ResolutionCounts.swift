package import DeepLinkCore
import DeepLinkFormats
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

    /// Returns the number of lines that the resolution log has dropped, or `nil` without a log.
    private let droppedLineCount: @Sendable () -> Int?

    private let pages = PageCounts()

    private let state = Mutex(State())
    private let start: Timestamp

    /// Begins to count at a given time.
    ///
    /// - Parameters:
    ///   - start: The time.
    ///   - droppedLineCount: Returns the number of lines that the resolution log has dropped, or `nil` without a log.
    package init(since start: Timestamp, droppedLineCount: @escaping @Sendable () -> Int? = { nil }) {
        self.start = start
        self.droppedLineCount = droppedLineCount
    }

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
                droppedCount: droppedLineCount(),
                pages: pages.report(at: minute)
            )
        }
    }
}

extension ResolutionCounts: LinkEventObserver {
    /// Counts a use of a link.
    package func observe(_ event: LinkEvent) {
        guard event.isCounted else { return }
        let minute = Self.minute(of: event.time)
        if let page = event.page { return count(page, of: event, minute: minute) }
        switch event.outcome {
        case .resolved(let link): count(link, isRedeemed: event.traits.contains(.redeemed), minute: minute)
        case .gated(let link): count(link.denial, minute: minute)
        case .failed(let code, let unmatched): count(code, unmatched: unmatched, of: event, minute: minute)
        }
    }

    /// Counts a resolved link.
    ///
    /// A redeemed continuation also counts as a passed gate.
    private func count(_ link: LinkEvent.Resolved, isRedeemed: Bool, minute: Int64) {
        let catalog = link.plan.catalog
        state.withLock { state in
            state.begin(minute)
            state.running.note(route: link.route.flatMap { state.routes.number(of: $0, in: catalog) }, lane: 0)
            guard isRedeemed else { return }
            let passed = Requirement(level: link.plan.requiredLevel, grants: link.plan.requiredGrants)
            state.running.notePassed(passed, ladder: state.routes.ladder(of: catalog))
        }
    }

    /// Counts a gated link.
    private func count(_ denial: Denial, minute: Int64) {
        state.withLock { state in
            state.begin(minute)
            let route = denial.routeNumber.flatMap { state.routes.number(of: $0, in: denial.catalog) }
            switch denial.firstMissing {
            case .level(let level): state.running.note(route: route, lane: Int(level.rank))
            case .grant(let grant): state.running.note(route: route, gate: grant)
            }
        }
    }

    /// Counts a failed link by its problem code.
    private func count(_ code: ProblemCode, unmatched: [String]?, of event: LinkEvent, minute: Int64) {
        let isUnmatched = code == .noMatchingRoute || code == .unknownOrigin
        let link = isUnmatched ? masked(event, unmatched: unmatched) : nil
        state.withLock { state in
            state.begin(minute)
            state.running.note(problem: code.rawValue.bytewise)
            if let link { state.unmatched.count(link.masked, withWord: link.withWord) }
        }
    }

    /// Counts a page or redirect for a visitor of a link.
    private func count(_ page: PageVisit.Outcome, of event: LinkEvent, minute: Int64) {
        var route: Int?
        var link: (masked: ByteText, withWord: ByteText?)?
        switch event.outcome {
        case .resolved(let resolved): route = resolved.route
        case .failed(_, let unmatched): link = masked(event, unmatched: unmatched)
        case .gated: break
        }
        pages.count(page, route: route, unmatched: link, in: event.catalog, minute: minute)
    }

    /// Returns the link of an event with only the catalog's words, and with its first unmatched segment, or `nil` if
    /// it can't be parsed.
    private func masked(_ event: LinkEvent, unmatched: [String]?) -> (masked: ByteText, withWord: ByteText?)? {
        guard let link = event.request?.link else { return nil }
        let words = words(of: event.catalog)
        return (words.masked(link), words.masked(link, showingFirstOf: unmatched))
    }
}

/// Counts at each level of a ladder, by rank.
typealias LevelLanes = SIMD16<Int>

/// The key of a grant's gate in counts.
struct CountedGrant: Hashable, Sendable {
    /// The number of the link's route, or the index of the ladder and grants that contain the grant.
    let owner: Int

    let grant: Grant
}

/// The counts of resolutions in a period, by the number of a route.
struct ResolutionTally: Sendable {
    /// For each route, the resolved links, followed by the links gated at each level.
    var routes: [Int: LevelLanes] = [:]

    /// The links gated by a grant, for each route.
    var gatedByGrant: [CountedGrant: Int] = [:]

    /// The failed links, by problem code.
    var problems: [ByteText: Int] = [:]

    /// For each ladder, the number of times users passed a gate, by the level that the link requires.
    var gatesPassed: [Int: LevelLanes] = [:]

    /// The number of times users passed a gate, by the grants that the link requires.
    var grantsPassed: [CountedGrant: Int] = [:]

    /// Adds another tally.
    mutating func add(_ other: ResolutionTally) {
        routes.merge(other.routes, uniquingKeysWith: &+)
        gatedByGrant.merge(other.gatedByGrant, uniquingKeysWith: +)
        grantsPassed.merge(other.grantsPassed, uniquingKeysWith: +)
        problems.merge(other.problems, uniquingKeysWith: +)
        gatesPassed.merge(other.gatesPassed, uniquingKeysWith: &+)
    }
}

/// The counters of the current minute, for fast counting: a vector for each route, in an array.
struct RunningMinute: Sendable {
    /// The minute since 1970, or a negative number before the first.
    var number: Int64 = -1

    /// The numbers of resolved, gated and failed links.
    private(set) var outcomes = SIMD4<Int>()

    /// The counts of each route, by its number.
    private var routes: [LevelLanes] = []

    /// All other counts.
    private var tally = ResolutionTally()

    /// Counts a link to a route, in lane 0 if it resolves, or else in the lane of the gate's level.
    ///
    /// A route without a number exceeds the limit of distinguished versions.
    mutating func note(route: Int?, lane: Int) {
        outcomes[lane == 0 ? 0 : 1] &+= 1
        guard let route else { return }
        if route >= routes.count { routes += Array(repeating: LevelLanes(), count: route + 1 - routes.count) }
        routes[route][lane] &+= 1
    }

    /// Counts a link to a route that is gated by a grant.
    mutating func note(route: Int?, gate grant: Grant) {
        outcomes[1] &+= 1
        guard let route else { return }
        tally.gatedByGrant[CountedGrant(owner: route, grant: grant), default: 0] += 1
    }

    /// Counts a passed gate, by the level and the grants that the link requires.
    mutating func notePassed(_ requirement: Requirement, ladder: Int) {
        tally.gatesPassed[ladder, default: LevelLanes()][Int(requirement.level.rank)] &+= 1
        for grant in requirement.grants.isEmpty ? [] : requirement.grants.grants {
            tally.grantsPassed[CountedGrant(owner: ladder, grant: grant), default: 0] += 1
        }
    }

    /// Counts a failed link.
    mutating func note(problem code: ByteText) {
        outcomes[2] &+= 1
        tally.problems[code, default: 0] += 1
    }

    /// Returns the counts and resets them.
    mutating func take() -> (tally: ResolutionTally, outcomes: SIMD4<Int>) {
        for (route, counts) in routes.enumerated() where counts != LevelLanes() {
            tally.routes[route] = counts
            routes[route] = LevelLanes()
        }
        defer { (tally, outcomes) = (ResolutionTally(), SIMD4()) }
        return (tally, outcomes)
    }
}

/// The names of the levels and grants of a catalog, for counts.
struct CountedNames: Equatable, Sendable {
    let levels: LevelLadder
    let grants: GrantList
}

/// The numbered routes of the catalogs that were current since the start.
struct CountedRoutes: Sendable {
    /// The maximum number of distinguished catalog versions.
    ///
    /// Later versions are counted together.
    private static let maximumCount = 64

    /// The catalog that was looked up last, and the number of its first route, or `nil` if its version exceeds the
    /// limit.
    private var last: (catalog: RouteCatalog, first: Int?)?

    /// The number of the first route of each version.
    private var firstNumbers: [ByteText: Int] = [:]

    /// The routes, by their numbers.
    private(set) var names: [ResolutionReport.RouteKey] = []

    /// The distinct ladders and grants of the catalogs, in the order of their appearance.
    private(set) var ladders: [CountedNames] = []

    /// The index in ``ladders`` of each route in ``names``.
    private(set) var ladderNumbers: [Int] = []

    /// Returns the index of a catalog's ladder in ``ladders``.
    mutating func ladder(of catalog: RouteCatalog) -> Int {
        let names = CountedNames(levels: catalog.levels, grants: catalog.grants)
        if let known = ladders.firstIndex(of: names) { return known }
        ladders.append(names)
        return ladders.count - 1
    }

    /// Returns the number of a route of a catalog, or `nil` if its version exceeds the limit.
    mutating func number(of route: Int, in catalog: RouteCatalog) -> Int? {
        if last?.catalog === catalog { return last?.first.map { $0 + route } }
        let first = firstNumber(of: catalog)
        last = (catalog, first)
        return first.map { $0 + route }
    }

    private mutating func firstNumber(of catalog: RouteCatalog) -> Int? {
        let name = catalog.version.bytewise
        if let known = firstNumbers[name] { return known }
        guard firstNumbers.count < Self.maximumCount else { return nil }
        let first = names.count
        names += catalog.routes.map { ResolutionReport.RouteKey(catalogVersion: name, route: $0.name.bytewise) }
        let ladder = ladder(of: catalog)
        ladderNumbers += catalog.routes.map { _ in ladder }
        firstNumbers[name] = first
        return first
    }
}
