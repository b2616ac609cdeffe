package import DeepLinkCore

/// A comparison of two catalogs, based on the witness links of both and the differences between the files.
///
/// Each witness is resolved with both catalogs. One model defines the harm of each change (``ChangeRule/harms``). A
/// change that harms links is reported only with a link that shows it (decision record 22).
package struct CatalogComparison: Sendable {
    private let pairing: CatalogPairing
    private var findings: Findings
    private var record = WitnessRecord()
    private var recorded = RecordedLinks()

    /// The number of links that were not made because there were too many to try.
    private let untriedCount: Int

    /// Compares two catalogs by the links that they print themselves.
    ///
    /// - Parameters:
    ///   - old: the catalog in force.
    ///   - new: the catalog to replace it.
    ///   - levels: the names of the levels of the users to check, or `nil` for all levels.
    ///   - interruption: the check for an interruption, called between steps.
    ///   - associations: the function that returns the rules for operating systems of a catalog. Without it, the rules
    ///     aren't compared.
    /// - Throws: `Interruption.Stop` when the comparison is interrupted.
    /// - Complexity: linear in the edges and the bounds of their parameters, times a resolution.
    package init(
        from old: RouteCatalog,
        to new: RouteCatalog,
        levels: [LevelName]? = nil,
        interruption: Interruption = .never,
        associations: AssociationReader = { _, _ in [] }
    ) throws(Interruption.Stop) {
        let pairing = try CatalogPairing(old, new, interruption: interruption)
        self.pairing = pairing
        let users = pairing.users(named: levels)
        findings = Findings(LinkComparison(pairing: pairing, users: users))
        let origins = WitnessOrigins.shared(by: old, new)
        let before = WitnessLinks(old, under: origins.old, interruption: interruption)
        let after = WitnessLinks(new, under: origins.new, interruption: interruption)
        let former = try before.edges(
            beside: { pairing.inNew($0).map { new.edges[$0] } },
            name: { pairing.oldEdges.names[$0] }
        )
        let latter = try after.edges(
            beside: { pairing.inOld($0).map { old.edges[$0] } },
            name: pairing.subject(ofNew:)
        )
        untriedCount = former.untriedCount + latter.untriedCount
        let witnesses = (old: former.witnesses, new: latter.witnesses)
        try replay(witnesses.old + witnesses.new, interruption: interruption)
        try replay(try before.ofOrigins() + after.ofOrigins(), interruption: interruption)
        try addDeclared(witnesses.old + witnesses.new, associations: associations, interruption: interruption)
        let reach = ReachRules(pairing: pairing, users: users, witnesses: witnesses, interruption: interruption)
        for finding in try reach.findings(beside: findings.all) { findings.add(finding) }
    }

    private mutating func replay(
        _ witnesses: [Witness],
        interruption: Interruption
    ) throws(Interruption.Stop) {
        var known: [DeepLink: [ChangeRule]] = [:]
        let sameOrigins = OriginPrefix.names(of: pairing.old).intersection(OriginPrefix.names(of: pairing.new))
        for witness in witnesses {
            try interruption.check()
            var origin: ByteText?
            // Changes to links under an origin that stays are reported for their edges.
            if case .origin(let name) = witness.trait, !sameOrigins.contains(name) { origin = name }
            let rules = known[witness.link] ?? findings.replay(witness.link, origin: origin, edge: witness.edge)
            known[witness.link] = rules
            record.note(witness, rules: rules)
        }
    }

    private mutating func addDeclared(
        _ witnesses: [Witness],
        associations: AssociationReader,
        interruption: Interruption
    ) throws(Interruption.Stop) {
        let access = AccessRules(pairing: pairing, record: record, witnesses: witnesses)
        var changes = EdgeRules(pairing: pairing).changes
        try interruption.check()
        changes += RouteRules(pairing: pairing, yieldedRoutes: findings.yieldedRoutes).changes
        try interruption.check()
        changes += access.unwitnessed
        let declared = try DeclaredChanges(pairing, record: record).findings(changes, interruption: interruption)
        let plus = witnesses.first { $0.trait == .plus && record.changed($0.edge, preferring: .plus) != nil }
        let others =
            OriginRules(pairing, record: record).findings + access.declared + AppRules(pairing: pairing).findings
        for var finding in declared + others {
            if finding.rule == .plusIsSpaceChanged { finding.witness = plus?.link.text }
            if let link = findings.unread.link(of: finding) { finding.witness = link }
            add(finding)
        }
        for finding in try AssociationRules(pairing, read: associations, interruption: interruption).findings {
            add(finding)
        }
    }

    /// Adds a change that the files show, at its place.
    private mutating func add(_ finding: Finding) {
        var finding = finding
        if finding.place == nil, finding.newLocation == nil, let place = pairing.place(ofCatalog: finding) {
            pairing.locate(&finding, at: place)
        }
        findings.add(finding)
    }

    /// An empty replay of recorded links.
    ///
    /// Several replays can run at the same time.
    package var replay: RecordedReplay { RecordedReplay(findings: Findings(findings.comparison)) }

    /// Adds the results of a replay after the results of earlier ones.
    package mutating func add(_ replay: RecordedReplay) {
        recorded.add(replay.counts)
        findings.add(replay.findings)
    }

    /// Adds the short links of a database that resolve with the old catalog, but not with the new one.
    ///
    /// - Parameters:
    ///   - route: the route of their destination.
    ///   - count: their number.
    ///   - target: the destination of one of them in the old catalog.
    package mutating func addBrokenShortLinks(toRoute route: String, count: Int, target: String) {
        var finding = Finding(.shortLinksBreak, of: ChangeSubject(route: route.bytewise))
        finding.shortLinkCount = count
        finding.witness = target
        if let index = pairing.old.routes.firstIndex(where: { $0.name.bytewise == route.bytewise }) {
            let edges = pairing.old.edges.indices.filter { pairing.old.edges[$0].child == index }
            let place = edges.lazy.compactMap(pairing.place(ofChange:)).first
            let ofRoute = ChangePlace(owner: .route(old: index, new: pairing.inNewRoutes[index]))
            pairing.locate(&finding, at: place ?? ofRoute)
            // Short links of a database are reported separately, with their number.
            finding.place = nil
        }
        findings.add(finding)
    }

    /// Creates the report.
    ///
    /// - Parameters:
    ///   - audiences: the audiences for which harm is reported.
    ///   - accepted: the changes that are known and intended.
    ///   - today: the current day, as `YYYY-MM-DD`, to decide whether an entry has expired.
    ///   - namesFiles: whether locations include the file name. It is private to the machine. Otherwise they include the
    ///     name of a file that the catalog includes, relative to the catalog's folder.
    ///   - maximumCount: the maximum number of listed findings. Further findings are only counted.
    ///   - users: the users of a database, counted for each finding.
    /// - Returns: the findings for these audiences, and the entries that accept nothing.
    /// - Complexity: linear in the findings or, with users, linear in the findings times a resolution.
    package func report(
        for audiences: [ChangeAudience] = ChangeAudience.allCases,
        accepting accepted: [AcceptedChange] = [],
        today: String = "",
        namingFiles namesFiles: Bool = true,
        listing maximumCount: Int = .max,
        touching users: StoredUsers? = nil
    ) -> ComparisonReport {
        var found = GroupChanges.joined(findings.allWithUnread, of: pairing)
        if let users {
            let touched = AffectedUsers(pairing, users: users)
            for place in found.indices { found[place].userCount = touched.count(found[place]) }
        }
        let valid = accepted.filter { $0.until.bytewise >= today.bytewise }
        var reported = found.compactMap { $0.reported(for: audiences, accepting: valid) }.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
        let changes = ReportedChange.all(of: &reported)
        let used = Set(reported.compactMap(\.acceptance?.identity))
        return ComparisonReport(
            oldVersion: pairing.old.version,
            newVersion: pairing.new.version,
            findings: reported,
            changes: changes,
            widenings: found.filter(\.rule.widensAccess),
            witnessCount: record.count,
            untriedCount: untriedCount + findings.untoldCount,
            recorded: recorded.linkCount > 0 ? recorded : nil,
            users: users,
            unusedAcceptances: valid.filter { !used.contains($0.identity) },
            expiredAcceptances: accepted.filter { $0.until.bytewise < today.bytewise },
            includedFiles: namesFiles ? nil : (old: pairing.old.includedFiles, new: pairing.new.includedFiles),
            maximumCount: maximumCount
        )
    }
}

/// A part of the recorded links, resolved with both catalogs.
///
/// It is separate from its comparison, so that every core of the machine can replay a part.
package struct RecordedReplay: Sendable {
    private(set) var findings: Findings
    private(set) var counts = RecordedLinks()

    /// Replays a link and counts its changes.
    ///
    /// - Parameters:
    ///   - bytes: the link as recorded.
    ///   - opens: the number of times that the link was opened.
    /// - Complexity: the cost of two resolutions if nothing differs.
    package mutating func replay(_ bytes: [UInt8], opens: Int) {
        counts.linkCount += 1
        counts.openCount += opens
        guard let link = findings.comparison.pairing.link(bytes) else {
            counts.malformedCount += 1
            return
        }
        let rules = findings.replay(link, opens: opens)
        guard !rules.isEmpty else { return }
        if rules.contains(.linkDies) {
            counts.diedCount += 1
            counts.diedOpenCount += opens
        }
        counts.changedCount += 1
        counts.changedOpenCount += opens
    }
}
