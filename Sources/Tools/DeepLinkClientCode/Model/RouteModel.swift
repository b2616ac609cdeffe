import DeepLinkCore

/// The model of a catalog for code: its routes in order, each with one set of parameters and valid names.
struct RouteModel {
    let catalogVersion: String
    let routes: [NamedRoute]

    /// The levels and the grants.
    let permissions: NamedPermissions

    /// The issues that don't prevent the generation.
    let warnings: [NameIssue]

    /// Creates the model and names its parts.
    ///
    /// - Throws: ``NameError`` with every invalid name, ``UnknownRenameError``.
    /// - Complexity: linear in the catalog's edges and their parameters.
    init(_ catalog: RouteCatalog, rules: NamingRules, renames: [ByteText: String]) throws {
        var namer = Namer(rules: rules, renames: renames)
        var edges = [[Edge]](repeating: [], count: catalog.routes.count)
        for edge in catalog.declaredEdges { edges[edge.child].append(edge) }
        catalogVersion = catalog.version
        var taken = Namer.Scope(kind: "route", rules.routes)
        var routes: [NamedRoute] = []
        for (route, edges) in zip(catalog.routes, edges) {
            let merged = Self.parameters(of: route, edges, reportingTo: &namer)
            let named = NamedRoute(
                name: route.name,
                identifier: namer.name(route.name, path: route.name, at: route.location, in: &taken),
                description: route.description,
                parameters: namer.named(merged, of: route),
                ways: Self.ways(edges, merged: merged)
            )
            namer.checkFiles(of: named, at: route.location)
            routes.append(named)
        }
        self.routes = routes
        permissions = NamedPermissions(of: catalog, rules: rules, namer: &namer)
        warnings = namer.issues
        guard warnings.allSatisfy({ !$0.code.isError }) else { throw NameError(issues: warnings) }
        if let unused = renames.keys.sorted().first(where: { !namer.usedRenames.contains($0) }) {
            throw UnknownRenameError(name: unused.string)
        }
    }

    /// The maximum number of routes in the switch of one function.
    ///
    /// The cost of a switch in Swift's compiler grows faster than the number of its cases, and a method in Kotlin has
    /// at most 64 KiB of code (JVMS §4.7.3).
    static let routesPerFunction = 128

    /// Splits routes into chunks for one function each.
    static func chunks(of routes: [NamedRoute]) -> [ArraySlice<NamedRoute>] {
        stride(from: 0, to: routes.count, by: routesPerFunction)
            .map { routes[$0..<min($0 + routesPerFunction, routes.count)] }
    }

    /// Merges the parameters of all edges to a route.
    private static func parameters(
        of route: Route,
        _ edges: [Edge],
        reportingTo namer: inout Namer
    ) -> [MergedParameter] {
        MergedParameter.all(of: edges) { edge, parameter in
            namer.report(
                .mixedTypes,
                at: edge.location,
                message:
                    "The parameter `\(parameter.name)` of `\(route.name)` is \(parameter.type.name) here and of another kind "
                    + "elsewhere, so that code gets any JSON value.",
                hint: "Give it one type wherever the route opens, or another name here."
            )
        }
    }

    /// The maximum number of ways in a description.
    private static let maximumWayCount = 16

    /// Describes the parameters that each edge provides, if they differ.
    private static func ways(_ edges: [Edge], merged: [MergedParameter]) -> [String] {
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

/// One parameter of a route, merged over all edges to the route.
struct MergedParameter: Sendable {
    let name: String
    var type: ValueShape
    var edgeCount: Int
    var isThere: Bool
    var defaultValue: ParameterValue?

    /// Merges the parameters of all edges to a route.
    ///
    /// - Parameters:
    ///   - edges: the edges.
    ///   - report: called for each parameter with types that cannot be merged.
    /// - Returns: one parameter for each name.
    /// - Complexity: linear in the parameters of the edges.
    static func all(of edges: [Edge], reportingMixed report: (Edge, Parameter) -> Void) -> [MergedParameter] {
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
                if union == nil { report(edge, parameter) }
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
}
