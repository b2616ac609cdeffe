import DeepLinkCore
import WaymarkTestSupport

/// A maker of links and stacks that wander through a catalog, and now and then leave it.
struct LinkGenerator {
    private static let keys = ["k", "m", "s", "k.f", "k.g", "m.f"]

    var generator: SeededGenerator
    let catalog: RouteCatalog

    init(seed: UInt64, in catalog: RouteCatalog) {
        generator = SeededGenerator(seed: seed)
        self.catalog = catalog
    }

    // MARK: Links

    /// Makes a whole link.
    mutating func link() -> String {
        let origin = catalog.origins[0]
        let (segments, query) = walk(from: catalog.entry)
        let path = (origin.pathPrefix + segments).map { "/" + $0 }.joined()
        let head: String =
            switch origin.authority {
            case .hosts: "nav://app"
            case .segment: generator.oneIn(2) || path.isEmpty ? "nav://" : "nav:/"
            case .ignore: generator.oneIn(2) ? "nav://anything" : "nav://"
            }
        return head + (path.isEmpty ? "/" : path) + query
    }

    /// Makes a relative reference that continues from a route, or from `entry`.
    mutating func reference(from route: String?) -> String {
        let opens = route.flatMap { name in catalog.routes.first { $0.name == name } }?.opens ?? catalog.entry
        let (segments, query) = walk(from: opens)
        return segments.joined(separator: "/") + query
    }

    private mutating func walk(from start: Range<Int>) -> (segments: [String], query: String) {
        var segments: [String] = []
        var query: [String] = []
        var edges = start
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            guard !edges.isEmpty else { break }
            let edge = catalog.edges[Int.random(in: edges, using: &generator)]
            switch edge.address {
            case .path(let pattern):
                let pattern = edge.aliases.isEmpty || generator.oneIn(2) ? pattern : edge.aliases[0]
                for segment in pattern.segments {
                    if segment.isOptional, generator.oneIn(2) { continue }
                    if case .literal(let text) = segment { segments.append(text) } else { segments.append(value()) }
                    if segment.isRest, generator.oneIn(2) { segments.append(value()) }
                }
            case .query(let key): query.append("\(key)=\(value())")
            }
            for parameter in edge.parameters where generator.oneIn(parameter.isRequired ? 1 : 2) {
                for key in parameter.keys where generator.oneIn(parameter.isRequired ? 1 : 2) {
                    query.append("\(key)=\(value())")
                }
            }
            if generator.oneIn(6) { query.append("\(generator.pick(Self.keys))=\(value())") }
            edges = catalog.routes[edge.child].opens
        }
        if generator.oneIn(10) { segments.append(value()) }
        return (segments, query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private mutating func value() -> String {
        generator.pick([
            "1", "0", "true", "-42", "1.50", "a", "%C3%A9", "x%2Fy", "a b", "", "%61", "a+b", "1", "a", "7", "b",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
        ])
    }

    // MARK: Stacks

    /// Makes a stack as the app shows it: initial children where nothing else says what is shown.
    mutating func stack() -> [Destination] {
        var stack: [Destination] = []
        var opens = catalog.entry
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let linkable = opens.filter { catalog.edges[$0].isLinkable || generator.oneIn(20) }
            guard let next = linkable.randomElement(using: &generator) else { break }
            let initial = opens.first { catalog.edges[$0].isInitial }
            if let initial, opens != catalog.entry, catalog.edges[next].presentation != .tab,
                catalog.edges[next].child != catalog.edges[initial].child
            {
                appendInitials(from: initial, to: &stack)
            }
            stack.append(destination(catalog.edges[next]))
            opens = catalog.routes[catalog.edges[next].child].opens
        }
        if let initial = opens.first(where: { catalog.edges[$0].isInitial }), opens != catalog.entry {
            appendInitials(from: initial, to: &stack)
        }
        return stack
    }

    private mutating func appendInitials(from first: Int, to stack: inout [Destination]) {
        var next: Int? = first
        while let edge = next.map({ catalog.edges[$0] }) {
            stack.append(destination(edge))
            next = catalog.routes[edge.child].opens.first { catalog.edges[$0].isInitial }
        }
    }

    private mutating func destination(_ edge: Edge) -> Destination {
        var parameters: [BoundParameter] = []
        var path: PathPattern?
        if case .path(let pattern) = edge.address { path = pattern }
        for parameter in edge.parameters {
            let segment = path?.segments.first { $0.parameterName == parameter.name }
            let mustBe = segment.map { !$0.isOptional } ?? parameter.isRequired
            guard mustBe || generator.oneIn(2), let value = value(parameter.type) else { continue }
            parameters.append(BoundParameter(name: parameter.name, value: value))
        }
        return Destination(
            route: catalog.routes[edge.child].name,
            presentation: edge.presentation,
            parameters: parameters
        )
    }

    private mutating func value(_ type: ParameterType) -> ParameterValue? {
        switch type {
        case .scalar(let type): return value(type)
        case .list(let type, _, _):
            let items = (0..<Int.random(in: 1...3, using: &generator)).compactMap { _ in value(type) }
            return items.isEmpty ? nil : .list(items)
        case .object(let fields):
            return .object(
                fields.compactMap { field in
                    value(field.type).map { BoundParameter(name: field.name, value: $0) }
                }
            )
        }
    }

    private mutating func value(_ type: ScalarType) -> ParameterValue? {
        let texts = [
            "1", "0", "true", "a", "é", "x/y", "a b", "+", "-42", "1.5", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        ]
        return texts.shuffled(using: &generator).lazy.compactMap { type.value(of: $0) }.first
    }
}
