import DeepLinkCore
import WaymarkTestSupport

/// Makes small catalogs in which much can go wrong: few names, many edges, containers, initials and query routes.
struct CatalogGenerator {
    private static let location = SourceLocation(file: "generated", line: 1, column: 1)
    private static let literals = ["a", "b", "c", "x-1", "7"]
    private static let keys = ["k", "m", "s"]

    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Makes a definition; many are refused for ambiguity, and then another seed is tried.
    mutating func definition() -> CatalogDefinition {
        let names = (0..<Int.random(in: 2...7, using: &generator)).map { "r\($0)" }
        let routes = names.map { name in route(name, among: names) }
        return CatalogDefinition(
            version: "generated",
            origins: [Located(Origin(scheme: "nav", hosts: ["app"]), at: Self.location)],
            gates: AuthorizationLevel.allCases.dropFirst()
                .map { level in
                    GateDefinition(level: level, path: Located("/gate", at: Self.location))
                },
            entry: edges(to: names, count: 1...3, presentations: [.root], isEntry: true) + [
                EdgeDefinition(route: Located("gate", at: Self.location), presentation: .root)
            ],
            routes: routes + [
                RouteDefinition(
                    name: Located("gate", at: Self.location),
                    address: Located(.path(PathPattern([.literal("gate")])), at: Self.location)
                )
            ]
        )
    }

    private mutating func route(_ name: String, among names: [String]) -> RouteDefinition {
        let isQuery = generator.oneIn(5)
        let address = isQuery ? RouteAddress.query(generator.pick(Self.keys)) : .path(pattern())
        var parameters: [Parameter] = []
        if case .path(let pattern) = address {
            for case .parameter(let parameter) in pattern.segments {
                parameters.append(Parameter(name: parameter, type: type()))
            }
        }
        if generator.oneIn(3) {
            let type = type()
            parameters.append(
                Parameter(
                    name: "q",
                    type: type,
                    key: generator.pick(Self.keys),
                    defaultValue: generator.oneIn(2) ? type.value(of: "1") : nil
                )
            )
        }
        return RouteDefinition(
            name: Located(name, at: Self.location),
            address: Located(address, at: Self.location),
            parameters: parameters.map { Located($0, at: Self.location) },
            authorizationLevel: generator.pick(AuthorizationLevel.allCases),
            opens: edges(to: names, count: 0...3, presentations: [.tab, .push, .sheet], isEntry: false)
        )
    }

    private mutating func pattern() -> PathPattern {
        PathPattern(
            (0..<generator.pick([0, 1, 1, 1, 2, 3]))
                .map { place in
                    generator.oneIn(3) ? .parameter("p\(place)") : .literal(generator.pick(Self.literals))
                }
        )
    }

    private mutating func type() -> ParameterType {
        generator.pick([
            .int(min: nil, max: nil), .bool, .double(min: nil, max: nil), .enumeration(["a", "1", "é"]), .uuid,
            .string(min: nil, max: nil, pattern: nil),
        ])
    }

    private mutating func edges(
        to names: [String],
        count: ClosedRange<Int>,
        presentations: [Presentation],
        isEntry: Bool
    ) -> [EdgeDefinition] {
        var chosen = names.shuffled(using: &generator).prefix(Int.random(in: count, using: &generator))
        if isEntry, chosen.isEmpty { chosen = names.prefix(1) }
        var hasInitial = false
        return chosen.map { name in
            let isInitial = !hasInitial && generator.oneIn(4)
            hasInitial = hasInitial || isInitial
            return EdgeDefinition(
                route: Located(name, at: Self.location),
                presentation: generator.pick(presentations),
                isInitial: isInitial
            )
        }
    }

    /// Makes a link that wanders through a catalog, and now and then leaves it.
    mutating func link(in catalog: RouteCatalog) -> String {
        var path = ""
        var query: [String] = []
        var edges = catalog.entry
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            guard !edges.isEmpty else { break }
            let edge = catalog.edges[Int.random(in: edges, using: &generator)]
            switch edge.address {
            case .path(let pattern):
                for segment in pattern.segments { path += "/" + text(of: segment, edge) }
            case .query(let key): query.append("\(key)=\(value())")
            }
            if generator.oneIn(4) { query.append("\(generator.pick(Self.keys))=\(value())") }
            edges = catalog.routes[edge.child].opens
        }
        if generator.oneIn(10) { path += "/" + value() }
        return "nav://app\(path.isEmpty ? "/" : path)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private mutating func text(of segment: PathPattern.Segment, _ edge: Edge) -> String {
        switch segment {
        case .literal(let text): text
        case .parameter: value()
        }
    }

    private mutating func value() -> String {
        generator.pick([
            "1", "0", "true", "-42", "1.50", "a", "%C3%A9", "x%2Fy", "a b", "", "%61", "+",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
        ])
    }
}
