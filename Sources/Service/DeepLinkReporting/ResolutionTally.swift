import DeepLinkCore

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
