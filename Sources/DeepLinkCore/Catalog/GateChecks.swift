/// Resolves the gates of a catalog with the engine that will send users there.
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
            let text = "\(origin.scheme)://\(origin.hosts.first ?? "")\(path.value)"
            let link: DeepLink
            let stack: [StackElement]
            do {
                guard path.value.utf8.first == ASCII.slash else { throw LinkSyntaxError(.opaquePath, at: 0) }
                link = try DeepLink(text)
                stack = try resolver.stack(of: link).stack
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
            let required = resolver.requiredLevel(of: stack)
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
            gates.append(Gate(level: gate.level, link: text, stack: stack))
        }
        return gates
    }
}
