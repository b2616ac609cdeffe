@testable import DeepLinkCore

/// A maker of links that wander through a catalog, and now and then leave it.
struct CatalogWalk {
    private static let values = [
        "1", "0", "true", "-42", "1.50", "a", "b", "%C3%A9", "x%2Fy", "a b", "", "%61", "a+b", "2028-02-29",
        "2028-02-29T00:00:00Z", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
    ]

    private let catalog: RouteCatalog
    private var generator: SeededGenerator

    init(_ catalog: RouteCatalog, seed: UInt64) {
        self.catalog = catalog
        generator = SeededGenerator(seed: seed)
    }

    /// Makes a whole link.
    mutating func link() -> String {
        guard let origin = catalog.origins.randomElement(using: &generator) else { return "" }
        let (segments, query) = walk()
        let named = origin.authority == .hosts || origin.isWeb
        var host = named ? origin.hosts.randomElement(using: &generator) ?? "" : ""
        if host.utf8.first == UInt8(ascii: "*") { host = "ann" + host.dropFirst() }
        let path = (origin.pathPrefix + segments).map { "/" + $0 }.joined()
        let fragment = generator.oneIn(4) ? "#/" + value() : ""
        guard origin.authority != .rootless else { return origin.scheme + ":" + path.dropFirst() + query + fragment }
        return origin.scheme + "://" + host + (path.isEmpty ? "/" : path) + query + fragment
    }

    private mutating func walk() -> (segments: [String], query: String) {
        var segments: [String] = []
        var query: [String] = []
        var edges = catalog.entry
        for _ in 0..<5 {
            guard let edge = edges.randomElement(using: &generator).map({ catalog.edges[$0] }) else { break }
            switch edge.address {
            case .path(let pattern): append(edge.aliases.randomElement(using: &generator) ?? pattern, to: &segments)
            case .query(let key): query.append(key + "=" + value())
            }
            for key in edge.parameters.flatMap(\.keys) where !generator.oneIn(3) { query.append(key + "=" + value()) }
            edges = catalog.routes[edge.child].opens
            if generator.oneIn(4) { break }
        }
        if generator.oneIn(8) { segments.append(value()) }
        return (segments, query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private mutating func append(_ pattern: PathPattern, to segments: inout [String]) {
        for segment in pattern.segments {
            if segment.isOptional, generator.oneIn(2) { continue }
            switch segment {
            case .literal(let text): segments.append(text)
            case .compound(let pieces):
                let texts = pieces.map { piece in if case .literal(let text) = piece { text } else { value() } }
                segments.append(texts.joined())
            default: segments.append(value())
            }
            if segment.isRest, generator.oneIn(2) { segments.append(value()) }
        }
    }

    private mutating func value() -> String { Self.values.randomElement(using: &generator) ?? "" }
}
