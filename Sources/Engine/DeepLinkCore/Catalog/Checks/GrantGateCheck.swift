/// The check that users without any level do not meet the gate of a grant first.
enum GrantGateCheck {
    /// Warns of a grant's gate behind a level's gate, if users below that level can ask for a destination that requires
    /// the grant.
    ///
    /// For example, a guest would be sent to verify an address before logging in. Grants that the app asserts
    /// (`from: app`) are exempt, since logins need not come before them.
    ///
    /// - Complexity: linear in the edges for each grant.
    static func issues(of definition: CatalogDefinition, _ graph: CatalogGraph) -> [CatalogIssue] {
        guard !definition.grants.isEmpty else { return [] }
        var login: AuthorizationLevel?
        var issues: [CatalogIssue] = []
        for gate in definition.gates {
            switch gate.gives {
            case .level(let level):
                if level > definition.levels.highestFromApp { login = min(login ?? level, level) }
            case .grant(let grant):
                guard let login, !definition.grants.fromApp.contains(grant),
                    let edge = edge(requiring: grant, below: login, in: graph)
                else { continue }
                let (name, level) = (definition.grants.text(of: grant), definition.levels.text(of: login))
                issues.report(
                    .grantBeforeLevel,
                    at: gate.path.location,
                    message: "Users below `\(level)` meet the gate of `\(name)` before that of `\(level)`: "
                        + "`\(edge.routeName)` requires the grant, and no level.",
                    hint:
                        "Say `authorizationLevel: \(level)` of `\(edge.routeName)`; or write the gate of `\(name)` first, "
                        + "if it needs no `\(level)`."
                )
            }
        }
        return issues
    }

    /// Returns an edge that requires a grant and that links reach without the level.
    private static func edge(requiring grant: Grant, below level: AuthorizationLevel, in graph: CatalogGraph) -> Edge? {
        func edges(_ node: Int) -> [Edge] {
            graph.opens(node).map { graph.edges[$0] }.filter { $0.isLinkable && $0.authorizationLevel < level }
        }
        return [graph.entryNode].reaching { edges($0).map { $0.child } }.lazy.flatMap(edges)
            .first { $0.requirements.grants.contains(grant) }
    }
}
