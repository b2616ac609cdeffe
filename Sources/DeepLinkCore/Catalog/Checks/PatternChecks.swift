/// The rules by which path patterns, their aliases and the parameters they name fit together.
struct PatternChecks {
    private(set) var issues: [CatalogIssue] = []

    /// Checks every route and every edge that says something of its own.
    static func issues(of definition: CatalogDefinition) -> [CatalogIssue] {
        var checks = PatternChecks()
        var routes: [ByteText: RouteDefinition] = [:]
        for route in definition.routes { routes[route.name.value.bytewise] = route }
        for route in definition.routes {
            checks.check(route.address, route.aliases, route.parameters, of: route.name)
        }
        for edge in definition.routes.flatMap(\.opens) + definition.entry {
            guard let route = routes[edge.route.value.bytewise],
                edge.address != nil || edge.aliases != nil || edge.parameters != nil
            else { continue }
            let address = edge.address ?? route.address
            checks.check(
                address,
                address.value.patterns.isEmpty ? edge.aliases ?? [] : edge.aliases ?? route.aliases,
                edge.parameters ?? route.parameters,
                of: edge.route
            )
        }
        return checks.issues
    }

    private mutating func check(
        _ address: Located<RouteAddress>,
        _ aliases: [Located<PathPattern>],
        _ parameters: [Located<Parameter>],
        of route: Located<String>
    ) {
        guard let path = address.value.patterns.first else {
            for alias in aliases {
                issues.append(
                    CatalogIssue(
                        .pathAndQuery,
                        at: alias.location,
                        "`\(route.value)` is opened by a query key and has the alias `\(alias.value.text)`, a path.",
                        hint: "Remove `aliases`, or give the route a `path`."
                    )
                )
            }
            return
        }
        for alias in aliases { check(alias, beside: path, of: route) }
        for name in path.segments.compactMap(\.identifier) {
            guard let parameter = parameters.first(where: { $0.value.identifier == name }) else { continue }
            check(parameter, isRest: path.segments.contains(.rest(name)))
        }
    }

    private mutating func check(_ alias: Located<PathPattern>, beside path: PathPattern, of route: Located<String>) {
        let missing = path.segments.first { segment in
            guard let name = segment.identifier, !segment.isOptional else { return false }
            return !alias.value.segments.contains { other in
                other.identifier == name && other.isRest == segment.isRest && !other.isOptional
            }
        }
        let foreign = alias.value.segments.first { segment in
            guard let name = segment.identifier else { return false }
            return !path.segments.contains { $0.identifier == name && $0.isRest == segment.isRest }
        }
        guard let segment = missing ?? foreign else { return }
        let fault = missing == nil ? "has `\(segment.text)`, which the path has not" : "lacks `\(segment.text)`"
        issues.append(
            CatalogIssue(
                .invalidPath,
                at: alias.location,
                "The alias `\(alias.value.text)` of `\(route.value)` \(fault).",
                hint: "An alias is another expansion of `\(path.text)`: give it the same parameters."
            )
        )
    }

    private mutating func check(_ parameter: Located<Parameter>, isRest: Bool) {
        let name = parameter.value.name
        switch parameter.value.type {
        case .object:
            issues.append(
                CatalogIssue(
                    .invalidParameter,
                    at: parameter.location,
                    "The parameter `\(name)` stands in the path, which cannot hold an object.",
                    hint: "Read it from the query: remove `\(name)` from the path."
                )
            )
        case .list where !isRest:
            issues.append(
                CatalogIssue(
                    .invalidParameter,
                    at: parameter.location,
                    "The parameter `\(name)` is a list, but one segment of the path holds it.",
                    hint: "Write `{\(name)*}` at the end of the path to read all segments that are left."
                )
            )
        case .list, .scalar: break
        }
    }
}
