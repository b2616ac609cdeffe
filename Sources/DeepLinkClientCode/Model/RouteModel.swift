import DeepLinkCore

/// A catalog as code sees it: its routes in order, each with one set of parameters, every name checked.
struct RouteModel {
    let catalogVersion: String
    let routes: [NamedRoute]

    /// What is generated and could be better.
    let warnings: [NameIssue]

    /// Names everything.
    ///
    /// - Throws: ``NameError`` with every name that cannot stand in code, ``UnknownRenameError``.
    /// - Complexity: linear in the catalog's edges and their parameters.
    init(_ catalog: RouteCatalog, rules: NamingRules, renames: [ByteText: String]) throws {
        var namer = Namer(rules: rules, renames: renames)
        var edges = [[Edge]](repeating: [], count: catalog.routes.count)
        for edge in catalog.edges { edges[edge.child].append(edge) }
        catalogVersion = catalog.version
        var taken = Namer.Scope(kind: "route", rules.routes)
        var routes: [NamedRoute] = []
        for (route, edges) in zip(catalog.routes, edges) {
            let merged = Self.parameters(of: route, edges, reportingTo: &namer)
            routes.append(
                NamedRoute(
                    name: route.name,
                    identifier: namer.name(route.name, path: route.name, at: route.location, in: &taken),
                    description: route.description,
                    parameters: namer.named(merged, of: route),
                    ways: Self.ways(edges, merged)
                )
            )
        }
        self.routes = routes
        warnings = namer.issues
        guard warnings.allSatisfy({ !$0.code.isError }) else { throw NameError(issues: warnings) }
        if let unused = renames.keys.sorted().first(where: { !namer.usedRenames.contains($0) }) {
            throw UnknownRenameError(name: unused.string)
        }
    }

    /// The most routes that one function tells apart: what Swift's compiler does with a switch grows faster than its cases, and a
    /// method of Kotlin has at most 64 KiB of code (JVMS §4.7.3).
    static let routesPerFunction = 128

    /// Splits routes into as many as one function tells apart.
    static func chunks(of routes: [NamedRoute]) -> [ArraySlice<NamedRoute>] {
        stride(from: 0, to: routes.count, by: routesPerFunction)
            .map { routes[$0..<min($0 + routesPerFunction, routes.count)] }
    }

    /// Puts the parameters of all edges to a route together.
    private static func parameters(
        of route: Route,
        _ edges: [Edge],
        reportingTo namer: inout Namer
    ) -> [MergedParameter] {
        var merged: [MergedParameter] = []
        var places: [ByteText: Int] = [:]
        for edge in edges {
            for (index, parameter) in edge.parameters.enumerated() {
                let type = ValueShape(parameter.type)
                let isThere = edge.alwaysHas(parameter: index)
                guard let place = places[parameter.name.bytewise] else {
                    places[parameter.name.bytewise] = merged.count
                    merged.append(
                        MergedParameter(
                            name: parameter.name,
                            type: type,
                            edgeCount: 1,
                            isThere: isThere,
                            defaultValue: parameter.fixedValue ?? parameter.defaultValue
                        )
                    )
                    continue
                }
                let union = merged[place].type.union(type)
                if union == nil {
                    namer.report(
                        .mixedTypes,
                        at: edge.location,
                        "The parameter `\(parameter.name)` of `\(route.name)` is \(parameter.type.name) here and of another kind "
                            + "elsewhere, so that code gets any JSON value.",
                        hint: "Give it one type wherever the route opens, or another name here."
                    )
                }
                merged[place].type = union ?? .any
                merged[place].edgeCount += 1
                merged[place].isThere = merged[place].isThere && isThere
                if merged[place].defaultValue != parameter.fixedValue ?? parameter.defaultValue {
                    merged[place].defaultValue = nil
                }
            }
        }
        for index in merged.indices where merged[index].edgeCount < edges.count {
            merged[index].isThere = false
            merged[index].defaultValue = nil
        }
        return merged
    }

    /// The most ways that are told.
    private static let maximumWayCount = 16

    /// Tells which edge gives what, where that differs.
    private static func ways(_ edges: [Edge], _ merged: [MergedParameter]) -> [String] {
        guard edges.count > 1, edges.contains(where: { $0.parameters.count < merged.count }) else { return [] }
        var ways: [String] = []
        for edge in edges {
            let address =
                switch edge.address {
                case .path(let pattern): pattern.text.isEmpty ? "" : " `\(pattern.text)`"
                case .query(let key): " `?\(key)`"
                }
            let names = edge.parameters.map { "`\($0.name)`" }.joined(separator: ", ")
            let way = "\(edge.presentation.name)\(address): \(names.isEmpty ? "nothing" : names)"
            if !ways.contains(bytes: way) { ways.append(way) }
        }
        guard ways.count > maximumWayCount else { return ways }
        return ways.prefix(maximumWayCount) + ["and \(ways.count - maximumWayCount) more"]
    }
}

/// One parameter of a route, whichever edge leads there.
struct MergedParameter {
    let name: String
    var type: ValueShape
    var edgeCount: Int
    var isThere: Bool
    var defaultValue: ParameterValue?
}
