package import DeepLinkCore

/// Two catalogs compared: witnesses of both, resolved by both, and what the files say beside.
///
/// One model says who is harmed (``ChangeRule/harms``); a link shows it, or it is not said (decision record 22).
package struct CatalogComparison: Sendable {
    private let pairing: CatalogPairing
    private var ledger: FindingLedger
    private var record = WitnessRecord()
    private var recorded = RecordedLinks()

    /// Compares two catalogs by the links that they print themselves.
    ///
    /// - Parameters:
    ///   - old: the catalog that counts.
    ///   - new: the one that is to take its place.
    ///   - levels: the levels of the users who are asked for.
    ///   - interruption: asked between steps whether to go on.
    ///   - associations: what reads the rules of operating systems off a catalog; without it, nothing is said of them.
    /// - Throws: ``ComparisonInterruption/Stop``, where it is not to go on.
    /// - Complexity: linear in the edges and the bounds of their parameters, times a resolution.
    package init(
        from old: RouteCatalog,
        to new: RouteCatalog,
        levels: [AuthorizationLevel] = AuthorizationLevel.allCases,
        interruption: ComparisonInterruption = .never,
        associations: AssociationReader = { _ in [] }
    ) throws(ComparisonInterruption.Stop) {
        let pairing = CatalogPairing(old, new)
        self.pairing = pairing
        ledger = FindingLedger(pairing, levels: levels)
        let prefixes = OriginPrefix.shared(by: old, new)
        let before = WitnessLinks(old, prefixes: prefixes.old, interruption)
        let after = WitnessLinks(new, prefixes: prefixes.new, interruption)
        let former = try before.edges(
            beside: { pairing.inNew($0).map { new.edges[$0] } },
            name: { pairing.oldEdges.names[$0] }
        )
        let latter = try after.edges(
            beside: { pairing.inOld($0).map { old.edges[$0] } },
            name: pairing.subject(ofNew:)
        )
        try replay(former + latter, interruption)
        try replay(try before.origins() + after.origins(), interruption)
        addDeclared(former + latter, associations)
        for finding in ReachRules(pairing, levels: levels, old: former, new: latter).findings(beside: ledger.all) {
            ledger.add(finding)
        }
    }

    private mutating func replay(
        _ witnesses: [Witness],
        _ interruption: ComparisonInterruption
    ) throws(ComparisonInterruption.Stop) {
        var known: [DeepLink: [ChangeRule]] = [:]
        let sameOrigins = OriginPrefix.names(of: pairing.old).intersection(OriginPrefix.names(of: pairing.new))
        for witness in witnesses {
            try interruption.check()
            var origin: ByteText?
            if case .origin(let name) = witness.trait {
                // What happens to links under an origin that stays is told of their edges.
                guard !sameOrigins.contains(name) else {
                    record.note(witness, ledger.rules(shownBy: witness.link))
                    continue
                }
                origin = name
            }
            if let rules = known[witness.link] {
                record.note(witness, rules)
                continue
            }
            let rules = ledger.replay(witness.link, origin: origin)
            known[witness.link] = rules
            record.note(witness, rules)
        }
    }

    private mutating func addDeclared(_ witnesses: [Witness], _ associations: AssociationReader) {
        let access = AccessRules(pairing, record, witnesses)
        let changes =
            EdgeRules(pairing).changes + RouteRules(pairing, yielding: ledger.yieldedRoutes).changes + access.levels
            + access.versions
        let declared = DeclaredChanges(pairing, record).findings(changes)
        let plus = witnesses.first { $0.trait == .plus && record.changed($0.edge, preferring: .plus) != nil }
        for var finding in declared + OriginRules(pairing, record).findings + access.gates {
            if finding.rule == .plusIsSpaceChanged { finding.witness = plus?.link.text }
            ledger.add(finding)
        }
        for finding in AssociationRules(pairing, associations).findings { ledger.add(finding) }
    }

    /// A replay of recorded links, none of which is replayed yet; several may go on at once.
    package var replay: RecordedReplay { RecordedReplay(ledger.blank) }

    /// Takes over what a replay showed, after what earlier ones did.
    package mutating func add(_ replay: RecordedReplay) {
        recorded.add(replay.counts)
        ledger.add(replay.ledger)
    }

    /// Puts the report together.
    ///
    /// - Parameters:
    ///   - audiences: whose harm counts.
    ///   - accepted: the changes that are known and meant.
    ///   - today: the day, as `YYYY-MM-DD`, up to which they count.
    ///   - namesFiles: whether places name their file, which is nobody's business outside the machine.
    /// - Returns: the findings of these audiences, and what was accepted for nothing.
    package func report(
        for audiences: [ChangeAudience] = ChangeAudience.allCases,
        accepting accepted: [AcceptedChange] = [],
        today: String = "",
        namingFiles namesFiles: Bool = true
    ) -> ComparisonReport {
        ComparisonReport(
            oldVersion: pairing.old.version,
            newVersion: pairing.new.version,
            findings: ledger.all,
            witnessCount: record.count,
            recorded: recorded.linkCount > 0 ? recorded : nil,
            audiences: audiences,
            accepted: accepted,
            today: today,
            namesFiles: namesFiles
        )
    }
}
