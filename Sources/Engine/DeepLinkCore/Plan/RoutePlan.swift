/// The plan for a link: the stack of destinations from root to top, and its requirements.
package struct RoutePlan: Sendable {
    /// The link as received.
    package let link: DeepLink

    /// The UTF-8 bytes of ``canonicalLink``.
    let canonicalLinkBytes: [UInt8]?

    /// The highest level that a destination of the stack requires.
    package let requiredLevel: AuthorizationLevel

    /// The grants that the destinations of the stack require.
    package let requiredGrants: GrantSet

    /// The access level of the user.
    package let userLevel: AuthorizationLevel

    /// The query pairs that no destination used, in the order of the link.
    package let unusedQuery: [QueryItem]

    /// The named app that has the stack, or `nil` for every app.
    package let app: AppIndex?

    /// The app versions that the stack requires, empty if the request names a version of its app.
    package let requiresApp: RequiredApps

    /// The decoded segments of the path that no route matched, empty unless the request accepts a partial match.
    package let unresolved: [String]

    /// The transition from the client's current stack to this one, or `nil` if the request has none.
    package let transition: Transition?

    /// The catalog that resolved the link.
    package let catalog: RouteCatalog

    /// Whether an origin routes the fragment of the link.
    let routesFragment: Bool

    /// The unrouted fragments of the links that redirected to the last one, or `nil` if there was no redirect.
    let passedFragments: [String]?

    /// The destinations, root first, as edges of the catalog.
    let elements: [StackElement]

    /// The demand for a signature, or `nil` for a link that needs none.
    package let signature: SignatureDemand?

    /// The name of the app that has the stack, or `nil` for every app.
    package var appName: String? { app.map { catalog.apps.name(of: $0) } }

    /// The app versions that the stack requires, by their keys.
    package var requiredVersions: [(key: String, number: VersionNumber)] { requiresApp.versions(in: catalog.apps) }

    /// The spelling that all equivalent links share, or `nil` if the stack has no link.
    package var canonicalLink: String? { canonicalLinkBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether there may be a fragment that no origin routes.
    @inline(__always)
    var mayHaveUnusedFragment: Bool { link.spans.fragment != nil || passedFragments != nil }

    /// The fragment's text, as sent and without its number sign, or `nil` if an origin routes it.
    ///
    /// The fragments of several links that redirect to each other are joined by number signs.
    package var unusedFragment: String? {
        if let passedFragments { return passedFragments.isEmpty ? nil : passedFragments.joined(separator: "#") }
        guard !routesFragment, let fragment = link.spans.fragment, !fragment.isEmpty else { return nil }
        return String(decoding: link.bytes[fragment.indices], as: UTF8.self)
    }

    /// The destinations, root first.
    ///
    /// - Complexity: O(*n*) in the destinations, which are computed at each call.
    package var stack: [Destination] { catalog.graph.destinations(elements) }

    /// The edge of the topmost destination, or `nil` for an empty stack.
    package var topEdge: Edge? { elements.last.map { catalog.graph.edges[$0.edge] } }
}

extension RoutePlan: Equatable {
    /// Compares the parts that clients see: two plans may be equal although their catalogs differ elsewhere.
    package static func == (left: RoutePlan, right: RoutePlan) -> Bool {
        left.link == right.link && left.canonicalLinkBytes == right.canonicalLinkBytes
            && left.requiredLevel == right.requiredLevel && left.requiredGrants == right.requiredGrants
            && left.userLevel == right.userLevel && left.stack == right.stack
            && left.unusedFragment?.bytewise == right.unusedFragment?.bytewise && left.unusedQuery == right.unusedQuery
            && left.appName?.bytewise == right.appName?.bytewise
            && left.requiredVersions.elementsEqual(right.requiredVersions) { left, right in
                left.key.bytewise == right.key.bytewise && left.number == right.number
            }
            && left.unresolved == right.unresolved
            && left.transition == right.transition
    }
}

extension RoutePlan {
    /// Whether some destination requires a signed link.
    package var isSigned: Bool {
        catalog.hasSignedRoutes && elements.contains { catalog.graph.packed[$0.edge].isSigned }
    }

    /// The name of the topmost route, without computing the destinations, or `nil` for an empty stack.
    package var topRoute: String? {
        elements.last.map { catalog.graph.routes[catalog.graph.packed[$0.edge].child].name }
    }

    /// The topmost route, as an index into ``RouteCatalog/routes``, or `nil` for an empty stack.
    package var topRouteNumber: Int? { elements.last.map { catalog.graph.packed[$0.edge].child } }

    /// The edge of the topmost destination, as an index into ``RouteCatalog/edges``, or `nil` for an empty stack.
    package var topEdgeNumber: Int? { elements.last.map { catalog.graph.declared($0.edge).number } }

    /// The edges of the destinations, as indexes into ``RouteCatalog/edges``, with a link's edge for a gate over
    /// others.
    package var edgeNumbers: [Int] { elements.map { catalog.graph.declared($0.edge).number } }

    /// The plan without its values: the edge of each destination, and its parameters with a value.
    package var shape: [Int] {
        var shape: [Int] = []
        shape.reserveCapacity(2 * elements.count)
        for element in elements {
            shape.append(element.edge.number)
            guard catalog.graph.packed[element.edge].hasParameters else { continue }
            // Values are in the order of the parameters.
            var next = 0
            for (place, parameter) in catalog.graph.edges[element.edge].parameters.enumerated()
            where next < element.arguments.count
                && element.arguments[next].name.bytewise == parameter.name.bytewise
            {
                // Negative, so that it differs from every edge.
                shape.append(-1 - place)
                next += 1
            }
        }
        return shape
    }
}

/// A link to the same destinations as another one, with example values in place of its own.
package enum ReplayableLink {
    /// Returns the link of a plan with every value replaced by the plainest that fits.
    ///
    /// A list has the fewest items allowed, an object its plainest form. The scheme is the same as in the plan's link,
    /// and the host is the first of its origin.
    ///
    /// - Returns: `nil` if no such link has the same destinations.
    package static func of(_ plan: RoutePlan) -> String? {
        let edges = plan.edgeNumbers.map { plan.catalog.edges[$0] }
        let stack = zip(plan.stack, edges)
            .map { destination, edge in
                Destination(
                    route: destination.route,
                    presentation: destination.presentation,
                    parameters: destination.parameters.compactMap { bound in
                        edge.parameters.first { $0.name.bytewise == bound.name.bytewise }
                            .flatMap { $0.fixedValue ?? ValueExamples.values(of: $0.type).first }
                            .map { BoundParameter(name: bound.name, value: $0) }
                    }
                )
            }
        return try? link(to: stack, scheme: plan.link.scheme, catalog: plan.catalog)
    }
}

/// The transition from a client's current stack to another: some destinations kept, the others dismissed, the rest
/// presented.
///
/// As many destinations as possible are kept: from the root on, as long as route, presentation and parameters are
/// equal.
package struct Transition: Equatable, Sendable {
    /// The number of kept destinations of the current stack, from the root on.
    package let keep: Int

    /// The number of dismissed destinations of the current stack, from the top down.
    package let dismiss: Int

    /// The destinations to present next, in order.
    package let present: [Destination]

    /// The index of the first destination of the current stack that the catalog does not know, or `nil` if there is
    /// none.
    ///
    /// That destination and all above it are dismissed.
    package let unknownFrom: Int?

    /// Creates the transition between two stacks.
    ///
    /// `unknownCount` is the number of further destinations on top of the current stack that the catalog does not know.
    ///
    /// - Complexity: O(*n*) in the number of destinations.
    package init(from current: [Destination], to stack: [Destination], unknownCount: Int? = nil) {
        keep = zip(current, stack).prefix { $0 == $1 }.count
        dismiss = current.count + (unknownCount ?? 0) - keep
        present = Array(stack[keep...])
        unknownFrom = unknownCount.map { _ in current.count }
    }
}

/// One element of a navigation stack: a route, its presentation and its values.
package struct Destination: Hashable, Sendable {
    /// The route's name.
    package let route: String

    /// The presentation of the destination over the one below it.
    package let presentation: Presentation

    /// The values, in the order that the catalog declares, without absent optional ones.
    package let parameters: [BoundParameter]

    /// Creates a destination from its parts.
    package init(route: String, presentation: Presentation, parameters: [BoundParameter] = []) {
        self.route = route
        self.presentation = presentation
        self.parameters = parameters
    }

    /// Compares the routes byte by byte, the presentations and the parameters.
    package static func == (left: Destination, right: Destination) -> Bool {
        left.route.bytewise == right.route.bytewise && left.presentation == right.presentation
            && left.parameters == right.parameters
    }

    /// Hashes the route byte by byte, the presentation and the parameters.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(route.bytewise)
        hasher.combine(presentation)
        hasher.combine(parameters)
    }
}

extension CatalogGraph {
    /// Converts edges and values into destinations for clients.
    func destinations(_ stack: some Sequence<StackElement>) -> [Destination] {
        stack.map { element in
            let edge = edges[element.edge]
            return Destination(
                route: routes[edge.child].name,
                presentation: edge.presentation,
                parameters: element.arguments
            )
        }
    }
}

extension JSONWriter {
    /// Writes a plan as the service's response, with the source of the user's level if it is given.
    ///
    /// `explanation` writes a member before the last one, if any. Members that do not apply are left out. The order is
    /// fixed: `link`, `canonicalLink`, `authorizationLevel`, `grants`, `stack`, `unusedFragment`, `unusedQuery`,
    /// `app`, `requiresApp`, `unresolved`, `transition`, the member of `explanation`, `catalogVersion`.
    package mutating func plan(
        _ plan: RoutePlan,
        levelSource: LevelSource? = nil,
        explanation: (inout JSONWriter) -> Void = { _ in }
    ) {
        separate()
        raw("{\"link\":\"")
        escaped(plan.link.bytes)
        if let canonicalLink = plan.canonicalLinkBytes {
            raw("\",\"canonicalLink\":\"")
            escaped(canonicalLink)
        }
        raw("\",\"authorizationLevel\":{\"required\":\"")
        raw(plan.catalog.levels.texts, range: plan.catalog.levels.range(of: plan.requiredLevel))
        raw("\",\"user\":\"")
        raw(plan.catalog.levels.texts, range: plan.catalog.levels.range(of: plan.userLevel))
        if let levelSource {
            raw("\",\"source\":\"")
            escaped(levelSource.rawValue)
        }
        if plan.requiredGrants.isEmpty { raw("\"},\"stack\":") } else { rawGrants(of: plan) }
        rawStack(plan.elements, in: plan.catalog.graph)
        endRaw()
        if plan.mayHaveUnusedFragment, let fragment = plan.unusedFragment { member("unusedFragment", fragment) }
        if !plan.unusedQuery.isEmpty {
            member("unusedQuery", array: plan.unusedQuery) { writer, item in
                writer.array([item.name, item.value]) { writer, text in writer.string(text) }
            }
        }
        if let app = plan.appName { member("app", app) }
        if !plan.requiresApp.isEmpty {
            key("requiresApp")
            requiredApps(plan.requiresApp, in: plan.catalog.apps)
        }
        if !plan.unresolved.isEmpty { member("unresolved", texts: plan.unresolved) }
        if let transition = plan.transition {
            key("transition")
            self.transition(transition)
        }
        explanation(&self)
        raw(",\"catalogVersion\":\"")
        escaped(plan.catalog.version)
        raw("\"}")
    }

    /// Writes the end of the levels, the grants that a plan requires, and the name of the next member.
    private mutating func rawGrants(of plan: RoutePlan) {
        raw("\"},\"grants\":{\"required\":")
        for (index, name) in plan.catalog.grants.texts(of: plan.requiredGrants).enumerated() {
            raw(index == 0 ? "[\"" : "\",\"")
            escaped(name)
        }
        raw("\"]},\"stack\":")
    }

    /// Writes app versions by platform, and by app and platform.
    package mutating func requiredApps(_ required: RequiredApps, in apps: Apps) {
        object { writer in
            for (key, number) in required.versions(in: apps) {
                writer.member(key, number.text)
            }
        }
    }

    /// Writes the transition from one stack to another.
    package mutating func transition(_ transition: Transition) {
        object { writer in
            writer.member("keep", transition.keep)
            writer.member("dismiss", transition.dismiss)
            writer.key("present")
            writer.stack(transition.present)
            guard let unknownFrom = transition.unknownFrom else { return }
            writer.member("unknownFrom", unknownFrom)
        }
    }
}

extension JSONWriter {
    /// Writes a navigation stack, root first.
    package mutating func stack(_ stack: [Destination]) {
        array(stack) { writer, destination in
            writer.object { writer in
                writer.member("route", destination.route)
                writer.member("presentation", destination.presentation.name)
                writer.key("parameters")
                writer.fields(destination.parameters)
            }
        }
    }

    /// Writes the stack of a plan, after a member's name, from the prepared JSON of its edges.
    mutating func rawStack(_ stack: [StackElement], in graph: CatalogGraph) {
        guard !stack.isEmpty else { return raw("[]") }
        for index in stack.indices {
            let json = graph.packed[stack[index].edge].json
            // The prepared text begins with the end of the preceding destination: `}},`.
            if index == 0 { raw("[") }
            raw(graph.texts, range: index == 0 ? json.dropFirst(3) : json)
            rawMembers(stack[index].arguments)
        }
        raw("}}]")
    }

    /// Returns the text that ``rawStack(_:in:)`` writes before the parameters of a destination that is not the first.
    static func prepared(route: String, presentation: Presentation) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64)
        writer.stack([Destination(route: route, presentation: presentation)])
        // Without the end of the array, and of both objects.
        return Array("}},".utf8) + writer.bytes.dropFirst().dropLast(3)
    }
}
