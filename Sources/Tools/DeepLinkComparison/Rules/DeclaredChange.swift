import DeepLinkCore

/// A change between the files of two catalogs, before a link proves it.
struct DeclaredChange {
    let rule: ChangeRule

    /// The name of the route, in the old catalog if it has the route.
    var route: ByteText?

    /// The edge in the old catalog.
    var oldEdge: Int?

    /// The edge in the new catalog.
    var newEdge: Int?

    var parameter: ByteText?
    var old: ByteText?
    var new: ByteText?

    /// The harm, if it differs from the harm of the rule.
    var harms: [ChangeAudience: Severity]?

    /// The trait of links that show the change.
    var trait: Witness.Trait?

    /// Whether only links with the trait show the change.
    var needsTrait = false

    /// Whether the change is reported only with a link that it breaks.
    var needsBrokenLink = false

    /// Whether links are at risk even if no tried link is broken, because no tried link repeats a key.
    var isRiskUnseen = false
}

/// The changes of edges between the files, reported for the route if they affect all its edges.
struct DeclaredChanges {
    private let pairing: CatalogPairing
    private let record: WitnessRecord

    /// The number of edges to each route of the old catalog that the new one keeps.
    private let keptEdgeCounts: [ByteText: Int]

    init(_ pairing: CatalogPairing, record: WitnessRecord) {
        self.pairing = pairing
        self.record = record
        var counts = [Int](repeating: 0, count: pairing.old.routes.count)
        for (index, edge) in pairing.old.edges.enumerated() where pairing.inNew(index) != nil {
            counts[edge.child] += 1
        }
        keptEdgeCounts = Dictionary(
            zip(pairing.old.routes.map(\.name.bytewise), counts),
            uniquingKeysWith: { one, other in one + other }
        )
    }

    /// Returns the findings for changes, each with a link that shows it.
    ///
    /// A change that needs a link is dropped if none shows it.
    ///
    /// - Complexity: linear in the changes.
    /// - Throws: `Interruption.Stop`.
    func findings(
        _ changes: [DeclaredChange],
        interruption: Interruption
    ) throws(Interruption.Stop) -> [Finding] {
        // Changes that differ only in their edges may be one change of their route.
        let groups = changes.grouped { change in
            let subject = ChangeSubject(route: change.route, parameter: change.parameter)
            return Finding.Identity(rule: change.rule, subject: subject, old: change.old, new: change.new)
        }
        var all: [Finding] = []
        for changes in groups {
            try interruption.check()
            let isOfRoute = isOfAll(changes)
            let findings = changes.compactMap { finding($0, isOfRoute: isOfRoute) }
            guard isOfRoute else {
                all += findings
                continue
            }
            // The edge with the most severe finding represents the route.
            let best = findings.map(\.severity).max()
            if let finding = findings.first(where: { $0.severity == best }) { all.append(finding) }
        }
        return all
    }

    /// Returns whether changes affect all edges to their route.
    private func isOfAll(_ changes: [DeclaredChange]) -> Bool {
        guard let first = changes.first, let route = first.route else { return true }
        // A removed edge is reported by its ends.
        guard ![.edgeRemoved, .entryRemoved, .edgeAdded].contains(first.rule) else { return false }
        guard first.oldEdge != nil else { return true }
        let kept = changes.compactMap(\.oldEdge)
            .filter { edge in
                pairing.inNew(edge) != nil && pairing.old.routes[pairing.old.edges[edge].child].name.bytewise == route
            }
        return Set(kept).count == keptEdgeCounts[route] ?? 0
    }

    private func finding(_ change: DeclaredChange, isOfRoute: Bool) -> Finding? {
        let edge = change.oldEdge.map { pairing.oldEdges.names[$0] } ?? change.newEdge.map(pairing.subject(ofNew:))
        let subject = ChangeSubject(route: change.route, edge: isOfRoute ? nil : edge, parameter: change.parameter)
        var finding = Finding(change.rule, of: subject, from: change.old, to: change.new, harms: change.harms)
        pairing.locate(&finding, at: pairing.place(of: change), oldEdge: change.oldEdge, newEdge: change.newEdge)
        guard let edge else { return finding }
        if change.needsBrokenLink {
            finding.witness = record.broken(edge)
            return finding.witness == nil ? nil : finding
        }
        guard change.rule.needsWitness else {
            finding.witness = record.changed(edge, preferring: change.trait) ?? record.any(edge)
            return finding
        }
        if let link = record.broken(edge, preferring: change.trait, only: change.needsTrait) {
            finding.witness = link
            return finding
        }
        // If no link is broken, only the other harm stays. Without any link, this is unknown.
        let isHarmless = record.has(edge) && !change.isRiskUnseen
        finding.harms[.links] = isHarmless || finding.harms[.links] == nil ? nil : .risk
        return finding.harms.isEmpty ? nil : finding
    }
}

extension CatalogPairing {
    /// Returns a change of a paired edge, by its indices in both catalogs.
    func change(
        _ rule: ChangeRule,
        ofEdge edge: Int,
        and other: Int,
        from before: ByteText?,
        to after: ByteText?
    ) -> DeclaredChange {
        let route = old.routes[old.edges[edge].child].name.bytewise
        return DeclaredChange(rule: rule, route: route, oldEdge: edge, newEdge: other, old: before, new: after)
    }

    /// Returns the place of a change between the files.
    func place(of change: DeclaredChange) -> ChangePlace? {
        guard let old = change.oldEdge, let new = change.newEdge else {
            guard change.oldEdge != nil || change.newEdge != nil else {
                return ChangePlace(owner: .catalog, key: .gates)
            }
            return place(old: change.oldEdge, new: change.newEdge)
        }
        if let key = change.rule.requirement { return place(ofRequirement: key, old: old, new: new) }
        if let name = change.parameter { return place(ofParameter: name, old: old, new: new) }
        let route = ChangePlace.Owner.route(old: self.old.edges[old].child, new: self.new.edges[new].child)
        let edge = ChangePlace.Owner.edge(old: old, new: new)
        switch change.rule {
        case .routeRenamed: return ChangePlace(owner: route)
        case .descriptionChanged: return ChangePlace(owner: route, key: .description)
        case .shortLinkTermsChanged: return ChangePlace(owner: route, key: .shortLink)
        case .pathChanged, .queryKeyChanged: return addressPlace(old: old, new: new)
        case .aliasRemoved: return place(.aliases, old: old, new: new)
        case .edgeNotLinkable: return ChangePlace(owner: edge, key: .linkable)
        case .presentationChanged, .presentationUnknownToOlder: return ChangePlace(owner: edge, key: .presentation)
        case .initialChanged: return ChangePlace(owner: edge, key: .initial)
        default: return ChangePlace(owner: edge)
        }
    }
}
