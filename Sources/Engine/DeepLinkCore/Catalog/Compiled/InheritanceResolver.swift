/// The step of a catalog's compilation that gives inherited parameters their types.
///
/// The type is the type of the parameter below. An inherited value is always there if every path from `entry` passes
/// the route below, and that route always has the value.
struct InheritanceResolver {
    /// The origin of a value, with the properties that it passes on.
    private struct Source {
        let inheritance: Inheritance
        let type: ParameterType
        let isAlwaysThere: Bool
    }

    private var routes: [RouteDefinition]
    private let entry: [EdgeDefinition]
    private let indexes: [ByteText: Int]
    private var issues: [CatalogIssue] = []

    /// The routes that each route opens, `entry` last.
    private let opened: [[Int]]

    /// The routes in progress: a cycle of inherited parameters never gets a value.
    private var inWork: Set<Inheritance> = []

    private var sources: [Inheritance: Source?] = [:]

    /// Returns a definition that gives inherited parameters their types, with issues about parameters without one.
    ///
    /// - Complexity: linear in the catalog for each parameter that is inherited from.
    static func resolve(
        _ definition: CatalogDefinition,
        indexes: [ByteText: Int],
        reporting issues: inout [CatalogIssue]
    ) -> CatalogDefinition {
        let inherits = { (parameters: [Located<Parameter>]?) in
            parameters?.contains { $0.value.inheritance != nil } ?? false
        }
        guard
            definition.routes.contains(where: {
                inherits($0.parameters) || $0.opens.contains { inherits($0.parameters) }
            })
                || definition.entry.contains(where: { inherits($0.parameters) })
        else { return definition }
        var resolver = InheritanceResolver(definition, indexes: indexes)
        var definition = definition
        definition.routes = definition.routes.map { resolver.resolved($0) }
        definition.entry = definition.entry.map { resolver.resolved($0) }
        issues += resolver.issues
        return definition
    }

    private init(_ definition: CatalogDefinition, indexes: [ByteText: Int]) {
        routes = definition.routes
        entry = definition.entry
        self.indexes = indexes
        opened = (definition.routes.map { $0.opens } + [definition.entry])
            .map { $0.compactMap { indexes[$0.route.value.bytewise] } }
    }

    private mutating func resolved(_ route: RouteDefinition) -> RouteDefinition {
        let (parameters, isSigned) = resolved(route.parameters, of: route.name.value)
        var resolved = route
        resolved.parameters = parameters
        resolved.isSigned = route.isSigned || isSigned
        resolved.opens = route.opens.map { self.resolved($0) }
        return resolved
    }

    private mutating func resolved(_ edge: EdgeDefinition) -> EdgeDefinition {
        var resolved = edge
        resolved.parameters = edge.parameters.map { self.resolved($0, of: edge.route.value).parameters }
        return resolved
    }

    /// Returns the parameters of a route, and whether one of them comes from a signed route.
    private mutating func resolved(
        _ parameters: [Located<Parameter>],
        of route: String
    ) -> (parameters: [Located<Parameter>], isSigned: Bool) {
        var isSigned = false
        let resolved = parameters.map { parameter -> Located<Parameter> in
            guard let inheritance = parameter.value.inheritance,
                let source = source(of: inheritance, for: parameter, of: route)
            else { return parameter }
            let isPassed = reach(source.inheritance.route, to: route, for: parameter)
            if let below = indexes[source.inheritance.route.bytewise], routes[below].isSigned { isSigned = true }
            return Located(
                Parameter(
                    name: parameter.value.identifier,
                    type: source.type,
                    isRequired: source.isAlwaysThere && isPassed,
                    inheritance: source.inheritance
                ),
                at: parameter.location
            )
        }
        return (resolved, isSigned)
    }

    // MARK: Sources

    /// Returns the parameter that a value comes from, or reports the fault and returns `nil` if there is none.
    private mutating func source(
        of inheritance: Inheritance,
        for parameter: Located<Parameter>,
        of route: String
    ) -> Source? {
        let readings = inheritance.readings
        let known = readings.filter(isOfRoute)
        guard !known.isEmpty else {
            let near = SpellingSuggestion.closest(to: inheritance.route, among: indexes.keys.lazy.map { $0.string })
            report(
                .unknownRoute,
                parameter,
                "inherits from `\(inheritance.route)`, which isn't a route.",
                near.map { "Did you mean `\($0)`?" } ?? "Name a route below `\(route)`."
            )
            return nil
        }
        for reading in known {
            if let source = source(reading) { return source }
        }
        let below = indexes[known[0].route.bytewise].map { routes[$0] }
        let names = below.map { Edge.parameters($0.parameters, in: $0.address.value.patterns).map { $0.name } } ?? []
        report(
            .invalidParameter,
            parameter,
            "inherits `\(known[0].text)`, which isn't one parameter of one type.",
            SpellingSuggestion.closest(to: known[0].parameter, among: names)
                .map { "Did you mean `\(known[0].route).\($0)`?" }
                ?? (names.isEmpty
                    ? "`\(known[0].route)` has no parameters."
                    : "`\(known[0].route)` has \(names.map { "`\($0)`" }.joined(separator: ", ")).")
        )
        return nil
    }

    /// Finds a parameter of a route, which must have the same type on every path to the route.
    private mutating func source(_ inheritance: Inheritance) -> Source? {
        if let known = sources[inheritance] { return known }
        guard inWork.insert(inheritance).inserted else { return nil }
        defer { inWork.remove(inheritance) }
        let found = find(inheritance)
        sources[inheritance] = .some(found)
        return found
    }

    private mutating func find(_ inheritance: Inheritance) -> Source? {
        guard let index = indexes[inheritance.route.bytewise] else { return nil }
        let edges = (routes.flatMap { $0.opens } + entry).filter { indexes[$0.route.value.bytewise] == index }
            .map { Edge(parent: index, child: index, definition: $0, route: routes[index]) }
        var type: ParameterType?
        var isAlwaysThere = !edges.isEmpty
        for edge in edges {
            guard let place = edge.parameters.firstIndex(where: { $0.name.bytewise == inheritance.parameter.bytewise })
            else {
                isAlwaysThere = false
                continue
            }
            var (ownType, isThere) = (edge.parameters[place].type, edge.alwaysHas(parameter: place))
            if let further = edge.parameters[place].inheritance {
                guard let source = further.readings.first(where: isOfRoute), let origin = self.source(source) else {
                    return nil
                }
                let isPassed = passes(source.route, to: inheritance.route) ?? false
                (ownType, isThere) = (origin.type, origin.isAlwaysThere && isPassed)
            }
            guard type == nil || type == ownType else { return nil }
            type = ownType
            isAlwaysThere = isAlwaysThere && isThere
        }
        return type.map { Source(inheritance: inheritance, type: $0, isAlwaysThere: isAlwaysThere) }
    }

    private func isOfRoute(_ inheritance: Inheritance) -> Bool { indexes[inheritance.route.bytewise] != nil }

    // MARK: Paths

    /// Returns whether every path to a route passes another route below it, and reports the fault if none does.
    private mutating func reach(_ below: String, to route: String, for parameter: Located<Parameter>) -> Bool {
        guard let isPassed = passes(below, to: route) else {
            report(
                .unknownRoute,
                parameter,
                "inherits from `\(below)`, which is never below `\(route)`.",
                "Open `\(route)` from `\(below)` or from a route above it."
            )
            return false
        }
        return isPassed
    }

    /// Returns whether every path from `entry` to a route passes another route below it, or `nil` if no path does.
    private func passes(_ below: String, to route: String) -> Bool? {
        guard let first = indexes[below.bytewise], let last = indexes[route.bytewise] else { return nil }
        guard reached(from: opened[first], without: nil).contains(last) else { return nil }
        return first != last && !reached(from: opened[routes.count], without: first).contains(last)
    }

    private func reached(from starts: [Int], without excluded: Int?) -> Set<Int> {
        Set(starts.filter { $0 != excluded }.reaching { opened[$0].filter { $0 != excluded } })
    }

    private mutating func report(
        _ code: CatalogIssue.Code,
        _ parameter: Located<Parameter>,
        _ message: String,
        _ hint: String
    ) {
        issues.report(
            code,
            at: parameter.location,
            message: "The parameter `\(parameter.value.name)` \(message)",
            hint: hint
        )
    }
}

extension CatalogGraph {
    /// Returns the value that a destination above a stack inherits.
    ///
    /// - Returns: `nil` if the stack lacks a destination of the route, or the nearest one lacks the value.
    /// - Complexity: linear in the stack.
    func value(_ inheritance: Inheritance, above stack: some BidirectionalCollection<StackElement>) -> ParameterValue? {
        let route = inheritance.route.bytewise
        guard let nearest = stack.last(where: { edges[$0.edge].routeName.bytewise == route }) else { return nil }
        return nearest.arguments.first { $0.name.bytewise == inheritance.parameter.bytewise }?.value
    }

    /// Returns the values of a destination with the values that it inherits from a stack below, in the declared order.
    ///
    /// Given values of the same names are ignored.
    func inheriting(
        _ arguments: [BoundParameter],
        of edge: Edge,
        above stack: some BidirectionalCollection<StackElement>
    ) -> [BoundParameter] {
        guard edge.inherits else { return arguments }
        return edge.parameters.compactMap { parameter in
            guard let inheritance = parameter.inheritance else {
                return arguments.first { $0.name.bytewise == parameter.name.bytewise }
            }
            return value(inheritance, above: stack).map { BoundParameter(name: parameter.name, value: $0) }
        }
    }
}
