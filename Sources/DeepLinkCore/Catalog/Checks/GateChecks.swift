/// The gates of a catalog, resolved with the same engine as the links.
enum GateChecks {
    /// Resolves each gate's path, and reports those that do not resolve or require the level that they give.
    static func gates(
        of definition: CatalogDefinition,
        in catalog: RouteCatalog,
        reporting issues: inout [CatalogIssue]
    ) -> [Gate] {
        // An origin with invalid hosts is reported already; its gates cannot be checked.
        guard let origin = catalog.origins.first, !origin.isWeb || !origin.hosts.isEmpty else { return [] }
        let (resolver, levels) = (Resolver(catalog), catalog.levels)
        var gates: [Gate] = []
        for gate in definition.gates.sorted(by: { $0.level < $1.level }) {
            let path = gate.path
            let resolved: ResolvedLink
            do {
                resolved = try resolver.stack(of: routedPath(path.value, in: resolver))
            } catch {
                issues.append(
                    CatalogIssue(
                        .gateUnresolved,
                        at: path.location,
                        message: "The gate of `\(levels.text(of: gate.level))`, `\(path.value)`, does not resolve.",
                        hint: "Write the path of a route that links can reach, such as `/login`."
                    )
                )
                continue
            }
            let stack = resolved.stack
            let required = resolver.requiredLevel(of: resolved)
            guard required < gate.level else {
                issues.append(
                    CatalogIssue(
                        .gateTooHigh,
                        at: path.location,
                        message:
                            "The gate of `\(levels.text(of: gate.level))`, `\(path.value)`, itself requires `\(levels.text(of: required))`.",
                        hint: "Send users to a place that a lower level can reach."
                    )
                )
                continue
            }
            if catalog.hasSignedRoutes, stack.contains(where: { catalog.graph.packed[$0.edge].isSigned }) {
                issues.append(
                    CatalogIssue(
                        .signedGate,
                        at: path.location,
                        message:
                            "The gate of `\(levels.text(of: gate.level))`, `\(path.value)`, leads to a route that needs a signature.",
                        hint: "Send users to a place that every link may open."
                    )
                )
                continue
            }
            let isPath = path.value.utf8.first == ASCII.slash
            let link =
                resolver.canonicalLink(of: stack, under: LinkPrefix(origin: 0))?.asText
                ?? (isPath
                    ? "\(origin.scheme)://\(origin.hosts.first ?? "")\(origin.pathPrefix.map { "/" + $0 }.joined())\(path.value)"
                    : path.value)
            gates.append(Gate(level: gate.level, link: link, stack: stack))
        }
        return gates
    }

    /// Parses a path, or a link of ours, the form of gates in a catalog's JSON.
    private static func routedPath(_ text: String, in resolver: Resolver) throws -> RoutedPath {
        guard text.utf8.first == ASCII.slash else {
            return try resolver.startingPoint(of: ResolutionRequest(link: DeepLink(text))).path
        }
        let link = try DeepLink(reference: Array(text.utf8))
        return RoutedPath(link: link, start: link.spans.path.start)
    }
}
