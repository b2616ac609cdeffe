import DeepLinkCore

/// The changes of gates between two catalogs, and of levels that no link shows.
struct AccessRules {
    private let pairing: CatalogPairing
    private let record: WitnessRecord
    private let witnesses: [Witness]

    init(_ pairing: CatalogPairing, record: WitnessRecord, witnesses: [Witness]) {
        self.pairing = pairing
        self.record = record
        self.witnesses = witnesses
    }

    /// The findings of gates that were added, removed or redirected.
    var gates: [Finding] {
        AuthorizationLevel.allCases.sorted()
            .compactMap { level -> Finding? in
                let old = pairing.old.gateLinks.first { $0.level == level }?.link
                let new = pairing.new.gateLinks.first { $0.level == level }?.link
                guard old != nil || new != nil else { return nil }
                let before = old.flatMap { stack(of: $0, in: pairing.old) }.map(pairing.renaming)
                guard before != new.flatMap({ stack(of: $0, in: pairing.new) }) else { return nil }
                var subject = ChangeSubject()
                subject.gate = level.name.bytewise
                let rule: ChangeRule = new == nil ? .gateRemoved : .gateChanged
                var finding = Finding(
                    Finding.Identity(rule: rule, subject: subject, old: old?.bytewise, new: new?.bytewise),
                    // An additional gate harms nobody.
                    harms: old == nil ? [.access: .info] : nil
                )
                finding.witness = refused(at: level, by: old == nil ? pairing.new : pairing.old)
                return finding
            }
    }

    private func stack(of link: String, in catalog: RouteCatalog) -> [Destination]? {
        guard let link = try? DeepLink(link),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), userLevel: .highest, catalog: catalog)
        else { return nil }
        return plan.stack
    }

    /// Returns a link that is gated at a level.
    private func refused(at level: AuthorizationLevel, by catalog: RouteCatalog) -> String? {
        witnesses.first { witness in
            let request = ResolutionRequest(link: witness.link)
            guard case .denial(let denial) = resolve(request, userLevel: level.oneLower, catalog: catalog) else {
                return false
            }
            return denial.requiredLevel >= level
        }?
        .link.text
    }

    /// The changes of levels on edges without a witness.
    var levels: [DeclaredChange] {
        pairing.old.edges.indices.compactMap { index in
            guard let other = pairing.inNew(index), !record.has(pairing.oldEdges.names[index]) else { return nil }
            let (edge, new) = (pairing.old.edges[index], pairing.new.edges[other])
            guard edge.isLinkable, new.isLinkable, edge.authorizationLevel != new.authorizationLevel else { return nil }
            var change = DeclaredChange(
                rule: new.authorizationLevel < edge.authorizationLevel ? .levelLowered : .levelRaised
            )
            change.route = pairing.old.routes[edge.child].name.bytewise
            change.oldEdge = index
            change.newEdge = other
            change.old = edge.authorizationLevel.name.bytewise
            change.new = new.authorizationLevel.name.bytewise
            return change
        }
    }

    /// The changes of the required app versions on edges without a witness.
    var versions: [DeclaredChange] {
        pairing.old.edges.indices.flatMap { index -> [DeclaredChange] in
            guard let other = pairing.inNew(index), !record.has(pairing.oldEdges.names[index]) else { return [] }
            let (edge, new) = (pairing.old.edges[index], pairing.new.edges[other])
            guard edge.isLinkable, new.isLinkable else { return [] }
            return AppVersionChange.all(from: edge.requirements.since, to: new.requirements.since)
                .map { version in
                    var change = DeclaredChange(rule: version.rule)
                    change.route = pairing.old.routes[edge.child].name.bytewise
                    change.oldEdge = index
                    change.newEdge = other
                    change.old = version.old
                    change.new = version.new
                    return change
                }
        }
    }
}
