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
        let reordering = LevelRules.reordering(from: pairing.old.levels, to: pairing.new.levels)
        return [reordering].compactMap(\.self)
            + levelsOfGates.compactMap { levels -> Finding? in
                let old = pairing.old.gateLinks.first { $0.level == levels.old }?.link
                let new = pairing.new.gateLinks.first { $0.level == levels.new }?.link
                guard old != nil || new != nil else { return nil }
                let before = old.flatMap { stack(of: $0, in: pairing.old) }.map(pairing.renaming)
                guard before != new.flatMap({ stack(of: $0, in: pairing.new) }) else { return nil }
                var subject = ChangeSubject()
                subject.gate = levels.name.bytewise
                let rule: ChangeRule = new == nil ? .gateRemoved : .gateChanged
                var finding = Finding(
                    Finding.Identity(rule: rule, subject: subject, old: old?.bytewise, new: new?.bytewise),
                    // An additional gate harms nobody.
                    harms: old == nil ? [.access: .info] : nil
                )
                finding.witness =
                    old == nil
                    ? levels.new.flatMap { refused(at: $0, by: pairing.new) }
                    : levels.old.flatMap { refused(at: $0, by: pairing.old) }
                return finding
            }
    }

    /// The levels of both catalogs, each with its name and its counterpart.
    private var levelsOfGates: [(name: String, old: AuthorizationLevel?, new: AuthorizationLevel?)] {
        let (old, new) = (pairing.old.levels, pairing.new.levels)
        let kept = old.all.map { (name: old.text(of: $0), old: Optional($0), new: new.level(named: old.name(of: $0))) }
        let counterparts = kept.compactMap(\.new)
        return kept
            + new.all.filter { !counterparts.contains($0) }
            .map { (name: new.text(of: $0), old: nil, new: Optional($0)) }
    }

    private func stack(of link: String, in catalog: RouteCatalog) -> [Destination]? {
        guard let link = try? DeepLink(link),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
        else { return nil }
        return plan.stack
    }

    /// Returns a link that is gated at a level.
    private func refused(at level: AuthorizationLevel, by catalog: RouteCatalog) -> String? {
        witnesses.first { witness in
            let request = ResolutionRequest(link: witness.link)
            guard
                case .denial(let denial) = resolve(
                    request,
                    userLevel: catalog.levels.oneLower(than: level),
                    catalog: catalog
                )
            else {
                return false
            }
            return denial.requiredLevel >= level
        }?
        .link.text
    }

    /// The changes of levels on edges without a witness.
    var levels: [DeclaredChange] {
        // For every user, whichever are to be checked: no link shows the change.
        let rules = LevelRules(pairing.old.levels.pairs(with: pairing.new.levels))
        return pairing.old.edges.indices.flatMap { index -> [DeclaredChange] in
            guard let other = pairing.inNew(index), !record.has(pairing.oldEdges.names[index]) else { return [] }
            let (edge, new) = (pairing.old.edges[index], pairing.new.edges[other])
            guard edge.isLinkable, new.isLinkable else { return [] }
            return rules.rules(from: edge.authorizationLevel, to: new.authorizationLevel)
                .map { rule in
                    var change = DeclaredChange(rule: rule)
                    change.route = pairing.old.routes[edge.child].name.bytewise
                    change.oldEdge = index
                    change.newEdge = other
                    change.old = pairing.old.levels.text(of: edge.authorizationLevel).bytewise
                    change.new = pairing.new.levels.text(of: new.authorizationLevel).bytewise
                    return change
                }
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
