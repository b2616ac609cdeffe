import DeepLinkCore

/// Counts of resolutions in some time, by the number of a route.
struct ResolutionTally: Sendable {
    /// For each route, the links whose user may go there, then those whose user was sent to the gate of each level.
    var routes: [Int: SIMD4<Int>] = [:]

    /// The links that lead nowhere, by the code of the problem.
    var problems: [ByteText: Int] = [:]

    /// The number of times users were sent to the gate of each level.
    var gatesReached = SIMD4<Int>()

    /// The number of times users who were sent to a gate passed it, by the level that the link takes.
    var gatesPassed = SIMD4<Int>()

    /// Adds the counts of another.
    mutating func add(_ other: ResolutionTally) {
        routes.merge(other.routes, uniquingKeysWith: &+)
        problems.merge(other.problems, uniquingKeysWith: +)
        gatesReached &+= other.gatesReached
        gatesPassed &+= other.gatesPassed
    }
}

/// The counts of the minute that runs, as fast as they come in: a vector of four for each route, in an array.
struct RunningMinute: Sendable {
    /// Minutes since 1970; negative before the first.
    var number: Int64 = -1

    /// The links whose users may go there, those whose users were sent to a gate, those that lead nowhere.
    private(set) var outcomes = SIMD4<Int>()

    /// Returns the number of times users who were sent to a gate passed it, by the level that the link takes.
    var passed = SIMD4<Int>()

    private var routes: [SIMD4<Int>] = []
    private var problems: [ByteText: Int] = [:]

    /// Counts a link to a route: in lane 0 for a user with access, otherwise in that of the gate's level.
    ///
    /// A route without a number is beyond those that are distinguished.
    mutating func note(route: Int?, lane: Int) {
        outcomes[lane == 0 ? 0 : 1] &+= 1
        guard let route else { return }
        if route >= routes.count { routes += Array(repeating: SIMD4(), count: route + 1 - routes.count) }
        routes[route][lane] &+= 1
    }

    /// Counts a link that leads nowhere.
    mutating func note(problem code: ByteText) {
        outcomes[2] &+= 1
        problems[code, default: 0] += 1
    }

    /// Takes the counts out, so that the minute goes on with none.
    mutating func take() -> (tally: ResolutionTally, outcomes: SIMD4<Int>) {
        var tally = ResolutionTally()
        for (route, counts) in routes.enumerated() where counts != SIMD4() {
            tally.routes[route] = counts
            tally.gatesReached &+= counts
            routes[route] = SIMD4()
        }
        tally.gatesReached[0] = 0
        tally.problems = problems
        tally.gatesPassed = passed
        let outcomes = outcomes
        (self.outcomes, passed, problems) = (SIMD4(), SIMD4(), [:])
        return (tally, outcomes)
    }
}

/// The routes of the catalogs that were in force, numbered.
struct CountedRoutes: Sendable {
    /// The maximum number of catalog versions whose routes are distinguished; those of further ones are counted
    /// together.
    private static let maximumCount = 64

    private struct Version: Sendable {
        let first: Int
        let numbers: [ByteText: Int]
    }

    /// The catalog that was asked for last, and the number of its first route; `nil` for one version too many.
    private var last: (catalog: RouteCatalog, first: Int?)?

    private var versions: [ByteText: Version] = [:]
    private(set) var names: [ResolutionReport.RouteKey] = []

    /// Returns the number of a route of a catalog; `nil` if too many versions are counted already.
    mutating func number(of route: Int, in catalog: RouteCatalog) -> Int? {
        if last?.catalog === catalog { return last?.first.map { $0 + route } }
        let first = version(of: catalog)?.first
        last = (catalog, first)
        return first.map { $0 + route }
    }

    /// Returns the number of a route of some name.
    mutating func number(named route: String, in catalog: RouteCatalog) -> Int? {
        version(of: catalog).flatMap { version in version.numbers[route.bytewise].map { version.first + $0 } }
    }

    private mutating func version(of catalog: RouteCatalog) -> Version? {
        let name = catalog.version.bytewise
        if let known = versions[name] { return known }
        guard versions.count < Self.maximumCount else { return nil }
        let numbers = Dictionary(
            catalog.routes.enumerated().map { ($1.name.bytewise, $0) },
            uniquingKeysWith: { one, _ in one }
        )
        let new = Version(first: names.count, numbers: numbers)
        names += catalog.routes.map { ResolutionReport.RouteKey(catalogVersion: name, route: $0.name.bytewise) }
        versions[name] = new
        return new
    }
}
