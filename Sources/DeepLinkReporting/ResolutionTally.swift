import DeepLinkCore

/// Counts of resolutions while they come in: by the number of a route, and in a vector of four, so that a resolution costs
/// one look-up.
struct ResolutionTally: Sendable {
    /// For each route, the links whose user may go there, then those whose user was sent to the gate of each level.
    private(set) var routes: [Int: SIMD4<Int>] = [:]

    /// The links that lead nowhere, by the code of the problem.
    private(set) var problems: [ByteText: Int] = [:]

    /// How often users were sent to the gate of each level.
    private(set) var gatesReached = SIMD4<Int>()

    /// How often users who were sent to a gate came through, by the level that the link takes.
    private(set) var gatesPassed = SIMD4<Int>()

    /// Counts a link to a route: for a user who may go there, or who is sent to the gate of a level.
    mutating func note(route: Int, gate: AuthorizationLevel?) {
        var counts = routes[route] ?? SIMD4<Int>()
        let lane = Int(gate?.rawValue ?? 0)
        counts[lane] &+= 1
        routes[route] = counts
        if gate != nil { gatesReached[lane] &+= 1 }
    }

    /// Counts a link that leads nowhere.
    mutating func note(problem code: ByteText) { problems[code, default: 0] += 1 }

    /// Counts a user who came through a gate.
    mutating func notePassed(_ level: AuthorizationLevel) { gatesPassed[Int(level.rawValue)] &+= 1 }

    /// Adds the counts of another.
    mutating func add(_ other: ResolutionTally) {
        routes.merge(other.routes, uniquingKeysWith: &+)
        problems.merge(other.problems, uniquingKeysWith: +)
        gatesReached &+= other.gatesReached
        gatesPassed &+= other.gatesPassed
    }
}

/// The routes of the catalogs that were in force, numbered.
struct CountedRoutes: Sendable {
    /// The most versions of the catalog whose routes are told apart; those of further ones are counted together.
    private static let maximumCount = 64

    private struct Version: Sendable {
        let catalog: RouteCatalog
        let first: Int
        let numbers: [ByteText: Int]
    }

    private var last: Version?
    private var versions: [ByteText: Version] = [:]
    private(set) var names: [ResolutionReport.RouteKey] = []

    /// Returns the number of a route of a catalog; `nil` where too many versions are counted already.
    mutating func number(of route: Int, in catalog: RouteCatalog) -> Int? {
        version(of: catalog).map { $0.first + route }
    }

    /// Returns the number of a route of some name.
    mutating func number(named route: String, in catalog: RouteCatalog) -> Int? {
        version(of: catalog).flatMap { version in version.numbers[route.bytewise].map { version.first + $0 } }
    }

    private mutating func version(of catalog: RouteCatalog) -> Version? {
        if let last, last.catalog === catalog { return last }
        let name = catalog.version.bytewise
        if let known = versions[name] {
            last = known
            return known
        }
        guard versions.count < Self.maximumCount else { return nil }
        let numbers = Dictionary(
            catalog.routes.enumerated().map { ($1.name.bytewise, $0) },
            uniquingKeysWith: { one, _ in one }
        )
        let new = Version(catalog: catalog, first: names.count, numbers: numbers)
        names += catalog.routes.map { ResolutionReport.RouteKey(catalogVersion: name, route: $0.name.bytewise) }
        versions[name] = new
        last = new
        return new
    }
}
