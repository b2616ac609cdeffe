/// The gates of a catalog, resolved with the engine that will send users there.
enum GateChecks {
    /// Resolves each gate's path, reporting those that lead nowhere or require what they give.
    static func gates(
        of definition: CatalogDefinition,
        in catalog: RouteCatalog,
        reporting issues: inout [CatalogIssue]
    ) -> [Gate] {
        // An origin whose hosts are faulty is reported already; its gates cannot be judged.
        guard let origin = catalog.origins.first, !origin.isWeb || !origin.hosts.isEmpty else { return [] }
        let resolver = Resolver(catalog)
        var gates: [Gate] = []
        for gate in definition.gates.sorted(by: { $0.level < $1.level }) {
            let path = gate.path
            let resolved: ResolvedLink
            do {
                guard path.value.utf8.first == ASCII.slash else { throw LinkSyntaxError(.opaquePath, at: 0) }
                let link = try DeepLink(reference: Array(path.value.utf8))
                resolved = try resolver.stack(of: RoutedPath(link: link, start: link.spans.path.start))
            } catch {
                issues.append(
                    CatalogIssue(
                        .gateUnresolved,
                        at: path.location,
                        "The gate of `\(gate.level.name)`, `\(path.value)`, leads nowhere.",
                        hint: "Write the path of a route that links can reach, such as `/login`."
                    )
                )
                continue
            }
            let stack = resolved.stack
            let required = resolver.requirements(of: resolved).authorizationLevel
            guard required < gate.level else {
                issues.append(
                    CatalogIssue(
                        .gateTooHigh,
                        at: path.location,
                        "The gate of `\(gate.level.name)`, `\(path.value)`, itself requires `\(required.name)`.",
                        hint: "Send users to a place that a lower level can reach."
                    )
                )
                continue
            }
            let link =
                resolver.canonicalLink(of: stack, under: LinkPrefix(origin: 0))?.asText
                ?? "\(origin.scheme)://\(origin.hosts.first ?? "")\(origin.pathPrefix.map { "/" + $0 }.joined())\(path.value)"
            gates.append(Gate(level: gate.level, link: link, stack: stack))
        }
        return gates
    }
}
