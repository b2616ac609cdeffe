import DeepLinkCore

/// The changes of a requirement that all links to a route have in common, if no single link shows them.
///
/// The path of the route may have changed as well, or the route may be reachable in a new way.
struct ReachRules {
    /// The links to a route.
    private struct Reach<Requirement> {
        /// The requirement that all links have in common.
        var common: Requirement

        /// The edge at the top of the first link that requires no more, and all such links.
        var edge: Int
        var links: [String] = []
    }

    let pairing: CatalogPairing

    /// The users to check, by their levels in both catalogs.
    let users: [LevelPair]

    /// The witnesses of the old and of the new catalog.
    let witnesses: (old: [Witness], new: [Witness])

    let interruption: Interruption

    /// Returns the findings, except for routes with links that already show them.
    ///
    /// - Complexity: linear in the witnesses.
    func findings(beside told: [Finding]) throws(Interruption.Stop) -> [Finding] {
        let told = Dictionary(grouping: told, by: \.rule).mapValues { Set($0.map(\.identity.subject.route)) }
        var findings = try findings(
            .authorizationLevel,
            of: \.level,
            common: min,
            changes: { pairing.changes(from: $0, to: $1, for: users) },
            beside: told
        )
        if !pairing.old.grants.isEmpty || !pairing.new.grants.isEmpty {
            findings += try self.findings(
                .requires,
                of: \.grants,
                common: { $0.intersection($1) },
                changes: { pairing.changes(from: $0, to: $1) },
                beside: told
            )
        }
        if pairing.old.hasSignedRoutes {
            let dropped = RequirementChange(rule: .signatureDropped, old: "signed", new: "not signed")
            findings += try self.findings(
                .signed,
                of: \.isSigned,
                common: { $0 && $1 },
                changes: { $0 && !$1 ? [dropped] : [] },
                beside: told
            )
        }
        return findings
    }

    private func findings<Requirement: Equatable>(
        _ key: DeclaredKey,
        of requirement: (Witness) -> Requirement,
        common: (Requirement, Requirement) -> Requirement,
        changes: (Requirement, Requirement) -> [RequirementChange],
        beside told: [ChangeRule: Set<ByteText?>]
    ) throws(Interruption.Stop) -> [Finding] {
        let old = try reaches(of: witnesses.old, in: pairing.old, requirement: requirement, common: common)
        let new = try reaches(of: witnesses.new, in: pairing.new, requirement: requirement, common: common)
        return pairing.old.routes.indices.flatMap { route -> [Finding] in
            guard let before = old[route], let after = pairing.inNewRoutes[route].flatMap({ new[$0] }) else {
                return []
            }
            let name = pairing.old.routes[route].name.bytewise
            return changes(before.common, after.common).filter { told[$0.rule]?.contains(name) != true }
                .map { change in
                    var finding = Finding(change.rule, of: ChangeSubject(route: name), from: change.old, to: change.new)
                    let place = pairing.place(ofRequirement: key, oldWay: [before.edge], newWay: [after.edge])
                    pairing.locate(&finding, at: place, oldEdge: before.edge, newEdge: after.edge)
                    finding.witness = after.links.first
                    if finding.rule.widensAccess { finding.links = after.links }
                    return finding
                }
        }
    }

    /// Returns the links to each route that witnesses reach.
    private func reaches<Requirement: Equatable>(
        of witnesses: [Witness],
        in catalog: RouteCatalog,
        requirement: (Witness) -> Requirement,
        common: (Requirement, Requirement) -> Requirement
    ) throws(Interruption.Stop) -> [Int: Reach<Requirement>] {
        var reaches: [Int: Reach<Requirement>] = [:]
        for witness in witnesses {
            try interruption.check()
            guard let top = witness.top else { continue }
            let (route, own) = (catalog.edges[top].child, requirement(witness))
            var reach = reaches[route] ?? Reach(common: own, edge: top)
            let shared = common(reach.common, own)
            if shared != reach.common { (reach.common, reach.links) = (shared, []) }
            if own == shared {
                if reach.links.isEmpty { reach.edge = top }
                if reach.links.count < Finding.maximumNamedCount { reach.links.append(witness.link.text) }
            }
            reaches[route] = reach
        }
        return reaches
    }
}
