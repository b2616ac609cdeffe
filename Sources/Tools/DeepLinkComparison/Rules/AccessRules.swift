import DeepLinkCore

/// The changes of gates between two catalogs, and the changes of levels and grants that no link shows.
struct AccessRules {
    private let pairing: CatalogPairing
    private let record: WitnessRecord
    private let witnesses: [Witness]

    init(_ pairing: CatalogPairing, record: WitnessRecord, witnesses: [Witness]) {
        self.pairing = pairing
        self.record = record
        self.witnesses = witnesses
    }

    /// A gate of either catalog, by the name of the level or grant that it gives.
    private struct NamedGate {
        let name: String
        let old: Attainment?
        let new: Attainment?
    }

    /// The findings of added, removed and redirected gates, and of their levels and grants.
    var gates: [Finding] {
        let (old, new) = (pairing.old, pairing.new)
        return [LevelRules.reordering(from: old.levels, to: new.levels)].compactMap(\.self)
            + GrantRules.assertions(from: old.levels, to: new.levels)
            + GrantRules(from: old.grants, to: new.grants).declared
            + namedGates.compactMap(finding)
    }

    private func finding(of gate: NamedGate) -> Finding? {
        let old = gate.old.flatMap { gives in pairing.old.gatesInOrder.first { $0.gives == gives } }
        let new = gate.new.flatMap { gives in pairing.new.gatesInOrder.first { $0.gives == gives } }
        guard old != nil || new != nil else { return nil }
        let before = old.flatMap { stack(of: $0.link, in: pairing.old) }.map(pairing.renaming)
        guard before != new.flatMap({ stack(of: $0.link, in: pairing.new) }) || old?.over != new?.over else {
            return nil
        }
        var finding = Finding(
            new == nil ? .gateRemoved : .gateChanged,
            of: ChangeSubject(gate: gate.name.bytewise),
            from: old.map { Self.text($0.link, over: $0.over) },
            to: new.map { Self.text($0.link, over: $0.over) },
            // An additional gate is harmless.
            harms: old == nil ? [.access: .info] : nil
        )
        finding.witness =
            old == nil
            ? gate.new.flatMap { refused(at: $0, by: pairing.new) }
            : gate.old.flatMap { refused(at: $0, by: pairing.old) }
        return finding
    }

    /// Returns the link of a gate, followed by its presentation over the app's current screens, if it has one.
    private static func text(_ link: String, over presentation: Presentation?) -> ByteText {
        (link + (presentation.map { " over \($0.name)" } ?? "")).bytewise
    }

    /// The levels and grants of both catalogs, each with its counterpart.
    private var namedGates: [NamedGate] {
        let (old, new) = (pairing.old, pairing.new)
        let levels = old.levels.all.map { level in
            NamedGate(
                name: old.levels.text(of: level),
                old: .level(level),
                new: new.levels.level(named: old.levels.name(of: level)).map { .level($0) }
            )
        }
        let grants = old.grants.all.map { grant in
            NamedGate(
                name: old.grants.text(of: grant),
                old: .grant(grant),
                new: old.grants.counterparts(of: GrantSet(grant), in: new.grants).grants.first.map { .grant($0) }
            )
        }
        let counterparts = (levels + grants).compactMap(\.new)
        let all = new.levels.all.map { Attainment.level($0) } + new.grants.all.map { Attainment.grant($0) }
        let added = all.filter { !counterparts.contains($0) }
            .map { NamedGate(name: new.text(of: $0), old: nil, new: $0) }
        return levels + grants + added
    }

    private func stack(of link: String, in catalog: RouteCatalog) -> [Destination]? {
        guard let link = try? DeepLink(link, rootless: catalog.rootlessSchemes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
        else { return nil }
        return plan.stack
    }

    /// Returns a link that is gated for users who lack only this level or grant.
    private func refused(at missing: Attainment, by catalog: RouteCatalog) -> String? {
        var permissions = Permissions.all
        switch missing {
        case .level(let level): permissions.level = catalog.levels.oneLower(than: level)
        case .grant(let grant): permissions.grants.remove(GrantSet(grant))
        }
        return witnesses.first { witness in
            let answer = resolve(ResolutionRequest(link: witness.link), permissions: permissions, catalog: catalog)
            guard case .denial = answer else { return false }
            return true
        }?
        .link.text
    }

    /// The changes of levels and grants on edges without a witness.
    var requirements: [DeclaredChange] {
        // Check all users, not only the requested ones, because no link shows the change.
        let rules = LevelRules(pairing.old.levels.pairs(with: pairing.new.levels))
        let grants = GrantRules(from: pairing.old.grants, to: pairing.new.grants)
        return unwitnessed { edge, new, change in
            let (before, after) = (edge.requirements.grants, new.requirements.grants)
            return rules.rules(from: edge.authorizationLevel, to: new.authorizationLevel)
                .map { rule in
                    change(
                        rule,
                        pairing.old.levels.text(of: edge.authorizationLevel).bytewise,
                        pairing.new.levels.text(of: new.authorizationLevel).bytewise
                    )
                }
                + grants.rules(from: before, to: after)
                .map { rule in
                    change(
                        rule,
                        GrantRules.text(before, in: pairing.old.grants),
                        GrantRules.text(after, in: pairing.new.grants)
                    )
                }
        }
    }

    /// The changes of the required app versions on edges without a witness.
    var versions: [DeclaredChange] {
        unwitnessed { edge, new, change in
            AppVersionChange.all(from: edge.requirements.since, to: new.requirements.since)
                .map { change($0.rule, $0.old, $0.new) }
        }
    }

    /// Returns the changes of the linkable edges without a witness, which a function finds between both versions.
    private func unwitnessed(
        _ changes: (Edge, Edge, (ChangeRule, ByteText?, ByteText?) -> DeclaredChange) -> [DeclaredChange]
    ) -> [DeclaredChange] {
        pairing.old.edges.indices.flatMap { index -> [DeclaredChange] in
            guard let other = pairing.inNew(index), !record.has(pairing.oldEdges.names[index]) else { return [] }
            let (edge, new) = (pairing.old.edges[index], pairing.new.edges[other])
            guard edge.isLinkable, new.isLinkable else { return [] }
            let route = pairing.old.routes[edge.child].name.bytewise
            return changes(edge, new) { rule, before, after in
                DeclaredChange(rule: rule, route: route, oldEdge: index, newEdge: other, old: before, new: after)
            }
        }
    }
}

/// A change of the app version that a route or an edge requires on one platform.
struct AppVersionChange {
    /// The kind of change: the required version is raised or lowered.
    let rule: ChangeRule

    /// The old requirement, as `ios/3.2`, or `nil` for any version.
    let old: ByteText?

    /// The new requirement, or `nil` for any version.
    let new: ByteText?

    /// Returns the changes for the platforms with different requirements.
    static func all(from old: RequiredApps, to new: RequiredApps) -> [AppVersionChange] {
        AppVersion.Platform.allCases.compactMap { platform in
            let (before, after) = (old[platform], new[platform])
            guard before != after else { return nil }
            let isRaised = after.map { after in before.map { $0 < after } ?? true } ?? false
            func text(_ number: VersionNumber?) -> ByteText? {
                number.map { "\(platform.rawValue)/\($0.text)".bytewise }
            }
            return AppVersionChange(
                rule: isRaised ? .appVersionRaised : .appVersionLowered,
                old: text(before),
                new: text(after)
            )
        }
    }
}
