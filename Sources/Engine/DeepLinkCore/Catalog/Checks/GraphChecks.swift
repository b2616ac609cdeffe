/// The rules that need only the graph of routes and edges.
struct GraphChecks {
    private let graph: CatalogGraph
    private let definition: CatalogDefinition
    private(set) var issues: [CatalogIssue] = []

    /// The faults of groups' edges whose messages name a parent.
    private var groupFaults = GroupFaults()

    /// Whether containers or initial children open each other in a cycle, so that walking them would not end.
    private(set) var hasCycle = false

    private init(_ graph: CatalogGraph, definition: CatalogDefinition) {
        self.graph = graph
        self.definition = definition
    }

    /// Runs every check, with routes in `meant`, the targets of misspelt names, counted as opened.
    static func run(_ graph: CatalogGraph, definition: CatalogDefinition, meant: [Int]) -> GraphChecks {
        var checks = GraphChecks(graph, definition: definition)
        checks.checkReachability(from: meant)
        checks.checkCycles(
            code: .containerCycle,
            through: { $0.canTakeNoSegment },
            message: { "The containers \($0) open each other, so a path would never end." },
            hint: "Give one of them a `path`, or remove one of the edges."
        )
        checks.checkCycles(
            code: .initialConflict,
            through: { $0.isInitial },
            message: { "The initial children \($0) open each other, so the stack would never end." },
            hint: "Remove `initial: true` from one of them."
        )
        if !checks.hasCycle { checks.checkInitialChains() }
        for node in 0...graph.entryNode { checks.checkChildren(of: node) }
        checks.issues += checks.groupFaults.issues
        checks.checkReservedPaths()
        checks.checkGateCoverage()
        checks.issues += PatternChecks.issues(of: definition)
        checks.issues += PageChecks.issues(of: graph)
        checks.issues += SignatureChecks.issues(of: graph)
        return checks
    }

    private func name(_ edge: Edge) -> String { graph.routes[edge.child].name }

    /// Reports a fault of an edge with a message that names its parent.
    ///
    /// The same fault of a group's edge in several parents is one issue.
    private mutating func report(
        _ code: CatalogIssue.Code,
        of edge: Edge,
        from node: Int,
        message: (String) -> String,
        hint: String
    ) {
        let parent = graph.name(node)
        let issue = CatalogIssue(code, at: edge.location, message: message(parent), hint: hint)
        guard let group = edge.group else { return issues.append(issue) }
        groupFaults.note(issue, of: group, pattern: message("…"))
    }

    // MARK: The whole graph

    private mutating func checkReachability(from meant: [Int]) {
        let starts = graph.entry.map { graph.edges[$0].child } + meant
        let reached = Set(starts.reaching { graph.routes[$0].opens.map { graph.edges[$0].child } })
        for (index, route) in definition.routes.enumerated() where !reached.contains(index) {
            issues.report(
                .unreachableRoute,
                at: route.name.location,
                message: "Nothing that starts at `entry` opens `\(route.name.value)`.",
                hint: "Add it to the `opens` of the route that presents it, or to `entry`; otherwise remove it."
            )
        }
    }

    /// Finds each cycle of edges of one kind once, by depth-first search.
    private mutating func checkCycles(
        code: CatalogIssue.Code,
        through isIncluded: (Edge) -> Bool,
        message: (String) -> String,
        hint: String
    ) {
        var state = [Int](repeating: 0, count: graph.routes.count)  // 0 new, 1 on the way, 2 done
        var known: Set<SourceLocation> = []
        for start in graph.routes.indices where state[start] == 0 {
            var way: [(route: Int, rest: ArraySlice<Int>)] = [(start, Array(graph.routes[start].opens)[...])]
            state[start] = 1
            while let last = way.indices.last {
                guard let index = way[last].rest.popFirst() else {
                    state[way[last].route] = 2
                    way.removeLast()
                    continue
                }
                let edge = graph.edges[index]
                guard isIncluded(edge), state[edge.child] != 2 else { continue }
                if state[edge.child] == 1 {
                    hasCycle = true
                    // Each circle over an edge of a group has the same fault.
                    guard edge.group == nil || known.insert(edge.location).inserted else { continue }
                    let circle = way.drop { $0.route != edge.child }.map { "`\(graph.routes[$0.route].name)`" }
                    issues.report(code, at: edge.location, message: message(circle.joined(separator: ", ")), hint: hint)
                } else {
                    state[edge.child] = 1
                    way.append((edge.child, Array(graph.routes[edge.child].opens)[...]))
                }
            }
        }
    }

    private mutating func checkGateCoverage() {
        let given = definition.gates.reduce(into: GrantSet()) { set, gate in
            if let grant = gate.gives.grant { set.insert(GrantSet(grant)) }
        }
        var covered = Set(definition.gates.compactMap { $0.gives.level })
        covered.insert(.lowest)
        let required =
            definition.routes.map { ($0.requirements, $0.name) }
            + (definition.routes.flatMap { $0.opens } + definition.entry).map { ($0.requirements, $0.route) }
        for (requirements, name) in required where covered.insert(requirements.authorizationLevel).inserted {
            reportMissingGate(.missingGate, to: .level(requirements.authorizationLevel), of: name)
        }
        var missing = GrantSet()
        for (requirements, name) in required {
            for grant in requirements.grants.subtracting(given).subtracting(missing).grants {
                missing.insert(GrantSet(grant))
                reportMissingGate(.grantWithoutGate, to: .grant(grant), of: name)
            }
        }
    }

    private mutating func reportMissingGate(
        _ code: CatalogIssue.Code,
        to attainment: Attainment,
        of route: Located<String>
    ) {
        let name = attainment.text(in: definition.levels, definition.grants)
        let isLevel = attainment.level != nil
        issues.report(
            code,
            at: route.location,
            message: "`\(route.value)` needs \(isLevel ? "" : "the grant ")`\(name)`, and no gate gives it.",
            hint:
                "Add `\(name): /path` under `gates`: the place where a user obtains the \(isLevel ? "level" : "grant")."
        )
    }

    // MARK: One node

    private mutating func checkChildren(of node: Int) {
        let graph = graph
        let edges = graph.opens(node).map { graph.edges[$0] }
        func name(_ edge: Edge) -> String { graph.routes[edge.child].name }
        var keys: [[UInt8]: Edge] = [:]
        for edge in edges {
            if edge.isLinkable, let key = edge.queryKey, let other = keys.updateValue(edge, forKey: Array(key.utf8)),
                other.child != edge.child
            {
                report(
                    .queryKeyConflict,
                    of: edge,
                    from: node,
                    message: { parent in
                        "The query key `\(key)` opens both `\(name(other))` and `\(name(edge))` from `\(parent)`."
                    },
                    hint: "Give one of them another `query` key."
                )
            }
            if edge.isLinkable, edge.queryKey != nil, node == graph.entryNode {
                issues.report(
                    .unreachableRoute,
                    at: edge.location,
                    message: "`entry` opens `\(name(edge))` by a query key, which only works over a screen.",
                    hint: "Give the route a `path`, or let the screen below it open it."
                )
            }
            if edge.presentation == .root, node != graph.entryNode {
                report(
                    .rootOutsideEntry,
                    of: edge,
                    from: node,
                    message: { "`\($0)` opens `\(name(edge))` as `root`, which only `entry` can." },
                    hint: "Move the edge to `entry`, or choose another presentation, such as `fullScreenCover`."
                )
            }
            if edge.presentation.isDialog, let first = graph.routes[edge.child].opens.first {
                issues.report(
                    .dialogOpensRoutes,
                    at: edge.location,
                    message:
                        "`\(name(edge))` is opened as `\(edge.presentation.name)` but opens `\(name(graph.edges[first]))`.",
                    hint: "Present it as `sheet`, or remove its `opens`: an alert leads nowhere further."
                )
            }
            checkInitial(edge)
            checkRedirect(edge)
        }
        for edge in edges.filter({ $0.isInitial }).dropFirst() {
            report(
                .initialConflict,
                of: edge,
                from: node,
                message: { "`\($0)` has a second initial child, `\(name(edge))`." },
                hint: "Keep `initial: true` on the one that is shown first."
            )
        }
    }

    /// Reports chains of initial children that are too long.
    ///
    /// Every child of a chain is part of each stack that shows the first.
    private mutating func checkInitialChains() {
        var lengths = [Int?](repeating: nil, count: graph.routes.count)
        for start in graph.routes.indices {
            var chain: [Int] = []
            var node = start
            while lengths[node] == nil, let next = graph.initials[node] {
                chain.append(node)
                node = graph.edges[next].child
            }
            var length = lengths[node] ?? 0
            lengths[node] = length
            for route in chain.reversed() {
                length += 1
                lengths[route] = length
                guard length == Self.maximumInitialCount + 1, let edge = graph.initials[route] else { continue }
                report(
                    .initialConflict,
                    of: graph.edges[edge],
                    from: route,
                    message: { parent in
                        "More than \(Self.maximumInitialCount) initial children show each other from `\(parent)` on."
                    },
                    hint: "Remove `initial: true` from one of them."
                )
            }
        }
    }

    /// The maximum length of a chain of initial children.
    static let maximumInitialCount = 64

    private mutating func checkInitial(_ edge: Edge) {
        guard edge.isInitial, edge.linkParameter == nil else { return }
        let required = edge.parameters.indices.first(where: edge.isRequired)
        guard let required else { return }
        issues.report(
            .initialNeedsParameter,
            at: edge.location,
            message: "The initial child `\(name(edge))` needs the parameter `\(edge.parameters[required].name)`, "
                + "which a link that does not name it cannot give.",
            hint: "Read the parameter from the query and make it optional, or mark another child as initial."
        )
    }

    /// Reports a redirecting route that would have to be shown.
    private mutating func checkRedirect(_ edge: Edge) {
        guard let link = edge.linkParameter else { return }
        if let first = graph.routes[edge.child].opens.first {
            issues.report(
                .invalidValue,
                at: edge.location,
                message:
                    "`\(name(edge))` redirects to the link in `\(link.key)`, but opens `\(name(graph.edges[first]))`.",
                hint: "Remove its `opens`, or its `link`: it is never shown."
            )
        }
        if edge.isInitial {
            issues.report(
                .initialConflict,
                at: edge.location,
                message:
                    "The initial child `\(name(edge))` redirects to the link in `\(link.key)`, and cannot be shown.",
                hint: "Mark another child as initial."
            )
        }
        let others = edge.parameters.filter { $0 !== link }
        guard let other = others.first(where: { $0.reads(link.key) || $0.identifier == link.identifier }) else {
            return
        }
        issues.report(
            .invalidParameter,
            at: edge.location,
            message:
                "The parameter `\(other.name)` of `\(name(edge))` reads `\(link.key)`, which is the key of the redirect.",
            hint: "Remove the parameter: `link` reads the key."
        )
    }

    // MARK: Reserved paths

    private mutating func checkReservedPaths() {
        let web = definition.origins.filter { $0.value.scheme.bytewise == "https" }
        for origin in web where origin.value.pathPrefix.first.map(ReservedPath.contains) == true {
            issues.report(
                .reservedPath,
                at: origin.location,
                message:
                    "The `pathPrefix` of an origin begins with `\(origin.value.pathPrefix[0])`, which the server keeps for "
                    + "itself.",
                hint: "Choose another prefix: over https the server's own answer would win."
            )
        }
        let open = web.filter { $0.value.pathPrefix.isEmpty && !$0.value.hasShortLinks }
        checkReservedPaths(at: 0, open.contains { $0.value.authority != .segment }) { _ in true }
        // If the host is the first segment, the link's path begins with the second.
        let hosts = open.filter { $0.value.authority == .segment }.flatMap { $0.value.hosts }
        checkReservedPaths(at: 1, !hosts.isEmpty) { first in
            guard case .literal(let text) = first else { return true }
            return hosts.contains { host in
                host.utf8.prefix { $0 != ASCII.colon }.elementsEqual(text.utf8)
                    || host.utf8.first == UInt8(ascii: "*")
            }
        }
    }

    private mutating func checkReservedPaths(
        at place: Int,
        _ isNeeded: Bool,
        behind isHost: (PathExpansion.Part) -> Bool
    ) {
        guard isNeeded else { return }
        for node in graph.firstNodes {
            for edge in graph.opens(node).map({ graph.edges[$0] }) where edge.isLinkable {
                let reserved = edge.expansions
                    .compactMap { expansion -> String? in
                        guard expansion.parts.count > place, expansion.parts[..<place].allSatisfy(isHost),
                            case .literal(let text) = expansion.parts[place], ReservedPath.contains(text)
                        else { return nil }
                        return text
                    }
                    .first
                guard let reserved else { continue }
                issues.report(
                    .reservedPath,
                    at: edge.location,
                    message: "The path of `\(name(edge))` begins with `\(reserved)`, which the server reserves.",
                    hint: "Begin the path with another segment: over https the server's own answer would win."
                )
            }
        }
    }
}

/// The rules for routes in browsers: the links that open them.
enum PageChecks {
    /// Finds routes that stay in the browser although they open routes that need the app.
    static func issues(of graph: CatalogGraph) -> [CatalogIssue] {
        graph.routes.compactMap { route -> CatalogIssue? in
            guard let page = route.page, page.opens == .web else { return nil }
            let child = route.opens.lazy.map { graph.edges[$0] }
                .first { $0.isLinkable && graph.routes[$0.child].page?.opens != .web }
            guard let child else { return nil }
            return CatalogIssue(
                .openConflict,
                at: page.location,
                message:
                    "`\(route.name)` is kept in the browser, and `\(graph.routes[child.child].name)`, which it opens, needs the "
                    + "app.",
                hint: "Write `open: web` there too, or remove it here: links to what it opens go through it."
            )
        }
    }
}
