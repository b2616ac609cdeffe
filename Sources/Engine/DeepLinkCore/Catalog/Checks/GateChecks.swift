/// The gates of a catalog, resolved by the same engine as links.
enum GateChecks {
    /// Resolves each gate's path.
    ///
    /// Reports gates that do not resolve, and gates that require a level or a grant which only they or later gates
    /// give.
    static func gates(
        of definition: CatalogDefinition,
        in catalog: RouteCatalog,
        reporting issues: inout [CatalogIssue]
    ) -> [Gate] {
        // An origin with invalid hosts is already reported, and its gates cannot be checked.
        guard catalog.origins.first.map({ !$0.isWeb || !$0.hosts.isEmpty }) == true else { return [] }
        let resolver = Resolver(catalog)
        var gates: [Gate] = []
        var before = Permissions.none
        for gate in ordered(definition) {
            defer { before = before.adding(gate.gives) }
            let (path, name) = (gate.path, "`\(catalog.text(of: gate.gives))`, `\(gate.path.value)`,")
            let text = withSlash(path.value)
            guard let start = routedPath(text, in: resolver), let resolved = try? resolver.stack(of: start) else {
                issues.report(
                    .gateUnresolved,
                    at: path.location,
                    message: "The gate of \(name) does not resolve.",
                    hint: "Write the path of a route that links can reach, such as `/login`."
                )
                continue
            }
            let stack = resolved.stack
            if let missing = missing(in: before, for: resolver.requirement(of: resolved), at: gate.gives) {
                issues.report(
                    .gateTooHigh,
                    at: path.location,
                    message: "The gate of \(name) itself requires `\(catalog.text(of: missing))`.",
                    hint: catalog.grants.isEmpty
                        ? "Send users to a place that a lower level can reach."
                        : "Send users to a place that needs only what gates before this one give."
                )
                continue
            }
            if catalog.hasSignedRoutes, stack.contains(where: { catalog.graph.packed[$0.edge].isSigned }) {
                issues.report(
                    .signedGate,
                    at: path.location,
                    message: "The gate of \(name) leads to a route that needs a signature.",
                    hint: "Send users to a place that every link may open."
                )
                continue
            }
            let link = resolver.canonicalLink(of: stack, under: LinkPrefix(origin: 0))?.asText
            if link == nil, catalog.originKeys.allSatisfy({ $0.hasHostSegment }) {
                issues.report(
                    .gateWithoutLink,
                    at: path.location,
                    message: "No link opens the gate of \(name) since each link begins with a host.",
                    hint:
                        "Add an origin of a scheme, `{ scheme: myapp }`, or begin the path with the name of a host."
                )
            }
            gates.append(
                Gate(gives: gate.gives, link: link ?? written(text, in: catalog), stack: stack, over: gate.over)
            )
        }
        return gates
    }

    /// Returns the gates in the order in which users obtain their levels and grants.
    ///
    /// This is their order in the file. In a catalog without its own names it is the order of the ladder.
    private static func ordered(_ definition: CatalogDefinition) -> [GateDefinition] {
        guard definition.grants.isEmpty else { return definition.gates }
        return definition.gates.sorted { ($0.gives.level ?? .lowest) < ($1.gives.level ?? .lowest) }
    }

    /// Returns a level or a grant that a gate requires and no earlier gate gives.
    ///
    /// Returns `nil` if there is none.
    ///
    /// The gate of a level may require any lower level: a level that routes require has an earlier gate.
    private static func missing(
        in before: Permissions,
        for requirement: Requirement,
        at attainment: Attainment
    ) -> Attainment? {
        switch attainment {
        case .level(let level) where requirement.level >= level: return .level(requirement.level)
        case .grant where requirement.level > before.level: return .level(requirement.level)
        case .level, .grant: return requirement.grants.subtracting(before.grants).grants.first.map { .grant($0) }
        }
    }

    /// Returns a path with a slash before its first segment, or a link or an empty text unchanged.
    private static func withSlash(_ text: String) -> String {
        let end = text.utf8.first { $0 == ASCII.colon || $0 == ASCII.slash || $0 == ASCII.question || $0 == ASCII.hash }
        return text.isEmpty || end == ASCII.colon || text.utf8.first == ASCII.slash ? text : "/" + text
    }

    /// Returns a gate's link as the catalog writes it, for a stack without a canonical link.
    private static func written(_ text: String, in catalog: RouteCatalog) -> String {
        guard text.utf8.first == ASCII.slash else { return text }
        let key = catalog.originKeys.first { !$0.hasHostSegment }
        let origin = catalog.origins[key?.origin ?? 0]
        return "\(origin.scheme)://\(origin.hosts.first ?? "")\(origin.pathPrefix.map { "/" + $0 }.joined())\(text)"
    }

    /// Parses a path or a link of the catalog's origins, which is the form of gates in a catalog's JSON.
    ///
    /// Returns `nil` for any other text.
    private static func routedPath(_ text: String, in resolver: Resolver) -> RoutedPath? {
        guard text.utf8.first == ASCII.slash else {
            guard let link = try? DeepLink(text, rootless: resolver.catalog.rootlessSchemes) else { return nil }
            return try? resolver.startingPoint(of: ResolutionRequest(link: link)).path
        }
        guard let link = try? DeepLink(reference: Array(text.utf8)) else { return nil }
        return RoutedPath(link: link, start: link.spans.path.start)
    }
}
