package import DeepLinkCore

/// A maker of links and stacks that wander through a catalog, and now and then leave it.
package struct LinkGenerator {
    private static let keys = ["k", "m", "s", "k.f", "k.g", "m.f"]

    /// The source of all that is left to chance.
    package var generator: SeededGenerator

    private let catalog: RouteCatalog

    /// The port of links whose authority is no host, with its colon; empty for none.
    private let port: String

    /// Begins at a seed, in a catalog.
    package init(seed: UInt64, in catalog: RouteCatalog, port: String = "") {
        generator = SeededGenerator(seed: seed)
        self.catalog = catalog
        self.port = port
    }

    // MARK: Links

    /// Makes a whole link.
    package mutating func link() -> String {
        link(depth: 0)
    }

    private mutating func link(depth: Int) -> String {
        let origin = generator.pick(catalog.origins)
        var (segments, query) = walk(from: catalog.entry, depth: depth)
        var host = origin.hosts.first ?? ""
        if origin.isWeb, origin.authority == .segment {
            let isNamed = origin.hosts.contains { $0.hasPrefix("a") }
            let domain = origin.hosts.first { $0.hasPrefix("*") }?.dropFirst()
            let port = host.drop { $0 != ":" }
            host = segments.isEmpty || generator.oneIn(8) ? "a" : segments.removeFirst()
            let isBelow = host != "a" || generator.oneIn(4)
            host += domain.flatMap { isBelow || !isNamed ? $0 : nil } ?? port
        }
        if !port.isEmpty, origin.authority == .segment, !origin.isWeb, origin.pathPrefix.isEmpty, generator.oneIn(2),
            !segments.isEmpty
        {
            segments[0] += port
        }
        var fragment = ""
        if origin.routesFragment ? generator.oneIn(2) : generator.oneIn(20) {
            let count = Int.random(in: 0...segments.count, using: &generator)
            fragment = "#/" + segments.suffix(count).joined(separator: "/")
            segments.removeLast(count)
            if generator.oneIn(2) {
                fragment += query
                query = ""
            }
        }
        let path = (origin.pathPrefix + segments).map { "/" + $0 }.joined()
        let head: String =
            switch origin.authority {
            case .hosts: "\(origin.scheme)://\(host)"
            case .segment where origin.isWeb: "https://\(host)"
            case .segment: generator.oneIn(2) || path.isEmpty ? "nav://" : "nav:/"
            case .ignore: generator.oneIn(2) ? "nav://anything\(port)" : "nav://"
            case .rootless: generator.oneIn(4) || path.count < 2 ? "root:" : "root"
            }
        if head == "root" { return "root:" + path.dropFirst() + query + fragment }
        return head + (path.isEmpty ? "/" : path) + query + fragment
    }

    /// Makes a relative reference that continues from a route, or from `entry`.
    package mutating func reference(from route: String?) -> String {
        let opens = route.flatMap { name in catalog.routes.first { $0.name == name } }?.opens ?? catalog.entry
        let (segments, query) = walk(from: opens, depth: 0)
        return segments.joined(separator: "/") + query
    }

    private mutating func walk(from start: Range<Int>, depth: Int) -> (segments: [String], query: String) {
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
                    segments.append(text(of: segment))
                    if segment.isRest, generator.oneIn(2) { segments.append(value()) }
                }
            case .query(let key): query.append("\(key)=\(value())")
            }
            if let link = edge.linkParameter {
                let inner = depth > 5 ? "" : self.link(depth: depth + 1)
                query.append("\(link.key)=\(Self.encoded(generator.oneIn(8) ? value() : inner))")
            }
            for parameter in edge.parameters
            where parameter !== edge.linkParameter && generator.oneIn(parameter.isRequired ? 1 : 2) {
                for key in parameter.keys where generator.oneIn(parameter.isRequired ? 1 : 2) {
                    var value = value()
                    if let separator = parameter.separator {
                        value += generator.oneIn(8) ? "%2C" : String(decoding: [separator], as: UTF8.self)
                        value += self.value()
                    }
                    query.append("\(key)=\(value)")
                }
            }
            if generator.oneIn(6) { query.append("\(generator.pick(Self.keys))=\(value())") }
            edges = catalog.routes[edge.child].opens
        }
        if generator.oneIn(10) { segments.append(value()) }
        return (segments, query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private mutating func text(of segment: PathPattern.Segment) -> String {
        switch segment {
        case .literal(let text): text
        case .compound(let pieces):
            pieces.map { piece in if case .literal(let text) = piece { text } else { value() } }.joined()
        case .parameter, .optional, .rest, .wildcard, .optionalWildcard, .wildcardRest: value()
        }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8
            .map { byte in
                let isPlain = byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
                return isPlain ? String(decoding: [byte], as: UTF8.self) : "%" + hex(byte >> 4) + hex(byte & 0xF)
            }
            .joined()
    }

    private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

    private mutating func value() -> String {
        generator.pick([
            "1", "0", "true", "-42", "1.50", "a", "%C3%A9", "x%2Fy", "a b", "", "%61", "a+b", "1", "a", "7", "b",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
        ])
    }

    // MARK: Stacks

    /// Makes a stack as the app shows it: initial children if nothing else says what is shown.
    package mutating func stack() -> [Destination] {
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
            let mustBe = path?.isOptional(parameter: parameter.name).map { !$0 } ?? parameter.isRequired
            guard mustBe || generator.oneIn(2), let value = parameter.fixedValue ?? value(parameter.type) else {
                continue
            }
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
