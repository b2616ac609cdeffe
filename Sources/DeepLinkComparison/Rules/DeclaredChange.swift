import DeepLinkCore

/// A change that the files of two catalogs show, before a link proves it.
struct DeclaredChange {
    let rule: ChangeRule

    /// The route that it is about, as the old catalog calls it where it has it.
    var route: ByteText?

    /// The edge in the old catalog.
    var oldEdge: Int?

    /// The edge in the new catalog.
    var newEdge: Int?

    var parameter: ByteText?
    var old: ByteText?
    var new: ByteText?

    /// Who is harmed, where that is not what the rule says.
    var harms: [ChangeAudience: Severity]?

    /// The kind of link that shows it.
    var trait: Witness.Trait?

    /// Whether no other kind of link shows it.
    var needsTrait = false
}

/// The changes of edges that the files show, told of the route where they are those of all its edges.
struct DeclaredChanges {
    /// What makes changes of several edges one change of their route.
    private struct Group: Hashable {
        let rule: ChangeRule
        let route: ByteText?
        let parameter: ByteText?
        let old: ByteText?
        let new: ByteText?
    }

    private let pairing: CatalogPairing
    private let record: WitnessRecord

    init(_ pairing: CatalogPairing, _ record: WitnessRecord) {
        self.pairing = pairing
        self.record = record
    }

    /// Returns the findings for changes, each with the link that shows it; what a link would have to show and none does
    /// is none.
    func findings(_ changes: [DeclaredChange]) -> [Finding] {
        var groups: [Group: [DeclaredChange]] = [:]
        var order: [Group] = []
        for change in changes {
            let group = Group(
                rule: change.rule,
                route: change.route,
                parameter: change.parameter,
                old: change.old,
                new: change.new
            )
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(change)
        }
        return order.flatMap { group -> [Finding] in
            let changes = groups[group] ?? []
            let findings = changes.compactMap { finding($0, isOfRoute: isOfAll(changes)) }
            // Of one route, the edge whose link shows most speaks for all.
            let best = findings.max { $0.severity < $1.severity }
            return isOfAll(changes) ? findings.first { $0.severity == best?.severity }.map { [$0] } ?? [] : findings
        }
    }

    /// Returns whether changes are those of all edges to their route.
    private func isOfAll(_ changes: [DeclaredChange]) -> Bool {
        guard let first = changes.first, let route = first.route else { return true }
        // An edge that goes is told by its ends.
        guard ![.edgeRemoved, .entryRemoved, .edgeAdded].contains(first.rule) else { return false }
        let edges = pairing.old.edges.indices.filter {
            pairing.old.routes[pairing.old.edges[$0].child].name.bytewise == route && pairing.inNew($0) != nil
        }
        return first.oldEdge == nil || edges.allSatisfy { edge in changes.contains { $0.oldEdge == edge } }
    }

    private func finding(_ change: DeclaredChange, isOfRoute: Bool) -> Finding? {
        var subject = ChangeSubject()
        subject.route = change.route
        subject.parameter = change.parameter
        let edge = change.oldEdge.map { pairing.oldEdges.names[$0] } ?? change.newEdge.map(pairing.subject(ofNew:))
        if !isOfRoute { subject.edge = edge }
        let identity = Finding.Identity(rule: change.rule, subject: subject, old: change.old, new: change.new)
        var finding = Finding(identity, harms: change.harms)
        finding.oldLocation = change.oldEdge.map { pairing.old.edges[$0].location }
        finding.newLocation = change.newEdge.map { pairing.new.edges[$0].location }
        guard let edge else { return finding }
        guard change.rule.needsWitness else {
            finding.witness = record.changed(edge, preferring: change.trait) ?? record.any(edge)
            return finding
        }
        if let link = record.broken(edge, preferring: change.trait, only: change.needsTrait) {
            finding.witness = link
            return finding
        }
        // No link is broken: the rest of the harm stays. Where there is no link at all, nobody knows.
        let isKnown = record.has(edge)
        finding.harms[.links] = isKnown || finding.harms[.links] == nil ? nil : .risk
        return finding.harms.isEmpty ? nil : finding
    }
}
