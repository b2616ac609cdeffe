import DeepLinkCore

/// The changes of the grants that all links to a route require, if no single link shows them.
///
/// The path of the route may have changed as well, or the route may be reachable in a new way.
struct GrantReachRules {
    /// The links to a route.
    private struct Reach {
        /// The grants that each of the links requires.
        var grants: GrantSet

        /// The edge at the top of the first link that requires only these grants, and all such links.
        var edge: Int
        var links: [String] = []
    }

    private let pairing: CatalogPairing
    private let rules: GrantRules
    private let old: [ByteText: Reach]
    private let new: [ByteText: Reach]

    /// - Complexity: linear in the witnesses, or constant for catalogs without grants.
    init(_ pairing: CatalogPairing, old: [Witness], new: [Witness]) {
        self.pairing = pairing
        rules = GrantRules(from: pairing.old.grants, to: pairing.new.grants)
        guard !pairing.old.grants.isEmpty || !pairing.new.grants.isEmpty else {
            (self.old, self.new) = ([:], [:])
            return
        }
        self.old = Self.reaches(old, in: pairing.old, name: pairing.newName)
        self.new = Self.reaches(new, in: pairing.new, name: { $0 })
    }

    private static func reaches(
        _ witnesses: [Witness],
        in catalog: RouteCatalog,
        name: (ByteText) -> ByteText
    ) -> [ByteText: Reach] {
        var reaches: [ByteText: Reach] = [:]
        for witness in witnesses {
            guard let top = witness.top else { continue }
            let route = name(catalog.routes[catalog.edges[top].child].name.bytewise)
            var reach = reaches[route] ?? Reach(grants: witness.grants, edge: top)
            let common = reach.grants.intersection(witness.grants)
            if common != reach.grants { (reach.grants, reach.links) = (common, []) }
            if witness.grants == common {
                if reach.links.isEmpty { reach.edge = top }
                if reach.links.count < Finding.maximumNamedCount { reach.links.append(witness.link.text) }
            }
            reaches[route] = reach
        }
        return reaches
    }

    /// Returns the findings, except for routes with links that already show them.
    func findings(beside told: [Finding]) -> [Finding] {
        pairing.old.routes.flatMap { route -> [Finding] in
            let name = route.name.bytewise
            guard let before = old[pairing.newName(name)], let after = new[pairing.newName(name)] else { return [] }
            return rules.rules(from: before.grants, to: after.grants)
                .filter { rule in !told.contains { $0.rule == rule && $0.identity.subject.route == name } }
                .map { rule in
                    let finding = Finding(
                        rule,
                        of: ChangeSubject(route: name),
                        from: GrantRules.text(before.grants, in: pairing.old.grants),
                        to: GrantRules.text(after.grants, in: pairing.new.grants)
                    )
                    return pairing.finding(
                        finding,
                        ofRequirement: .requires,
                        edges: (before.edge, after.edge),
                        links: after.links
                    )
                }
        }
    }
}
