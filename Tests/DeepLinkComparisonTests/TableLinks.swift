import DeepLinkCore
import DeepLinkFormats
import WaymarkTestSupport

/// Links of a catalog as apps and people write them, made without the witnesses of a comparison.
struct TableLinks {
    private let catalog: RouteCatalog

    init(_ catalog: RouteCatalog) { self.catalog = catalog }

    /// Makes a link over random edges, under a random origin, of random spellings; it may lead nowhere.
    func link(_ random: inout SeededGenerator) -> String? {
        var (path, pairs) = ([String](), [String]())
        var (edges, isByKey) = (catalog.entry, false)
        for depth in 0..<Int.random(in: 1...5, using: &random) {
            let open = edges.filter { catalog.edges[$0].isLinkable && (!isByKey || catalog.edges[$0].queryKey != nil) }
            guard let index = open.randomElement(using: &random) else {
                if depth == 0 { return nil }
                break
            }
            let edge = catalog.edges[index]
            append(edge, &path, &pairs, &random)
            isByKey = edge.queryKey != nil
            edges = catalog.routes[edge.child].opens
        }
        let query = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
        guard let origin = catalog.origins.randomElement(using: &random) else { return nil }
        return text(origin, path, query, &random)
    }

    private func append(
        _ edge: Edge,
        _ path: inout [String],
        _ pairs: inout [String],
        _ random: inout SeededGenerator
    ) {
        var names: Set<String> = []
        if case .path(let pattern) = edge.address {
            let pattern = ([pattern] + edge.aliases).randomElement(using: &random) ?? pattern
            names = Set(pattern.parameterNames)
            for segment in pattern.segments {
                if segment.isOptional, random.oneIn(2) { continue }
                var text = segment.text
                for name in pattern.parameterNames + ["_"] {
                    let value = edge.parameters.first { $0.name == name }.map { self.value($0.type, &random) } ?? "x"
                    for mark in ["", "?", "*"] { text = text.replacing("{\(name)\(mark)}", with: value) }
                }
                path.append(text)
                if segment.isRest, random.oneIn(2) { path.append("x") }
            }
        }
        var hasKey = false
        for parameter in edge.parameters where !names.contains(parameter.name) && parameter.fixedValue == nil {
            let isKey = edge.queryKey.map(parameter.keys.contains) ?? false
            guard isKey || parameter.isRequired || random.oneIn(2) else { continue }
            hasKey = hasKey || isKey
            switch parameter.type {
            case .object(let fields):
                pairs += fields.map { "\($0.key)=\(value($0.type, &random))" }
            default: pairs.append("\(parameter.key)=\(value(parameter.type, &random))")
            }
        }
        if let key = edge.queryKey, !hasKey { pairs.append(key) }
    }

    private func value(_ type: ParameterType, _ random: inout SeededGenerator) -> String {
        let scalar: ScalarType
        switch type {
        case .scalar(let type), .list(let type, _, _): scalar = type
        case .object: return "x"
        }
        let texts: [String]
        switch scalar {
        case .enumeration(let words): return words.randomElement(using: &random) ?? "x"
        case .string(_, _, let pattern?): texts = pattern.examples()
        default: texts = ["x", "word", "1", "2026", "12", "true", "2026-01-31", "123e4567-e89b-12d3-a456-426614174000"]
        }
        let fitting = texts.filter { scalar.value(of: $0) != nil }
        return fitting.randomElement(using: &random).map { PercentEncoding.encode($0) } ?? "x"
    }

    private func text(
        _ origin: Origin,
        _ path: [String],
        _ query: String,
        _ random: inout SeededGenerator
    ) -> String {
        let host = origin.hosts.randomElement(using: &random) ?? ""
        let prefix = origin.pathPrefix.map { "/" + $0 }.joined()
        let whole = path.map { "/" + $0 }.joined()
        if origin.authority == .segment, origin.isWeb {
            let rest = path.dropFirst().map { "/" + $0 }.joined()
            let label = host.hasPrefix("*.") ? (path.first ?? "x") + host.dropFirst() : host
            return "https://\(label)\(prefix)\(rest)\(query)"
        }
        if origin.authority == .segment, random.oneIn(2) {
            return "\(origin.scheme)://" + (prefix + whole + query).dropFirst()
        }
        if origin.authority == .rootless { return "\(origin.scheme):" + (whole + query).dropFirst() }
        let authority = origin.authority == .hosts ? host : ""
        let fragment = origin.routesFragment && random.oneIn(2) ? "/#" : ""
        return "\(origin.scheme)://\(authority)\(prefix)\(fragment)\(whole)\(query)"
    }

    /// The links of the vectors of an app; none if there are no vectors.
    static func vectors(_ file: String) throws -> [String] {
        guard case .object(let file) = try JSONParser.parse(Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/\(file)")),
            case .array(let cases)? = file["cases"]
        else { return [] }
        return cases.compactMap { entry in
            guard case .object(let entry) = entry, case .string(let link)? = entry["link"] else { return nil }
            return link
        }
    }
}
