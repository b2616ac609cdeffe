import DeepLinkCore

/// The changes of levels, grants and gates between two catalogs, as the files declare them.
struct AccessRules {
    /// A gate of either catalog, by the name of the level or grant that it gives.
    private typealias NamedGate = (name: String, old: Attainment?, new: Attainment?)

    let pairing: CatalogPairing
    let record: WitnessRecord
    let witnesses: [Witness]

    /// The findings of levels, grants and gates.
    var declared: [Finding] { reordering + levelSources + grants + namedGates.compactMap(finding) }

    // MARK: Levels and grants

    /// The finding of levels that are reordered or missing, or none if the order is the same.
    private var reordering: [Finding] {
        let (old, new) = (pairing.old.levels, pairing.new.levels)
        let places = old.all.map { new.level(stored: old.name(of: $0)) }
        let known = places.compactMap(\.self)
        let isSame = known.count == places.count && zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
        return isSame ? [] : [Finding(.levelsReordered, from: old.list().bytewise, to: new.list().bytewise)]
    }

    /// The findings of levels that apps assert in only one of the catalogs.
    private var levelSources: [Finding] {
        let (old, new) = (pairing.old.levels, pairing.new.levels)
        return old.gated.compactMap { level in
            guard let counterpart = new.level(stored: old.name(of: level)) else { return nil }
            return source(
                of: old.text(of: level),
                isAsserted: level <= old.highestFromApp,
                isAssertedNow: counterpart > .lowest && counterpart <= new.highestFromApp
            )
        }
    }

    /// The findings of grants that are new or removed, and of grants that apps assert in only one of the catalogs.
    private var grants: [Finding] {
        let (old, new) = (pairing.old.grants, pairing.new.grants)
        let kept = old.all.map { (old: $0, new: pairing.counterpart(of: $0)) }
        let gone = kept.filter { $0.new == nil }
            .map { Finding(.grantRemoved, of: ChangeSubject(gate: old.text(of: $0.old).bytewise)) }
        let added = new.all.filter { grant in !kept.contains { $0.new == grant } }
            .map { Finding(.grantAdded, of: ChangeSubject(gate: new.text(of: $0).bytewise)) }
        let moved = kept.compactMap { grant in
            grant.new.flatMap {
                source(
                    of: old.text(of: grant.old),
                    isAsserted: old.fromApp.contains(grant.old),
                    isAssertedNow: new.fromApp.contains($0)
                )
            }
        }
        return gone + added + moved
    }

    /// Returns the finding of a level or a grant with a different source, or `nil` if the source is the same.
    private func source(of name: String, isAsserted: Bool, isAssertedNow: Bool) -> Finding? {
        guard isAsserted != isAssertedNow else { return nil }
        let (app, given): (ByteText, ByteText) = ("asserted", "given")
        return Finding(
            isAssertedNow ? .requirementLowered : .requirementRaised,
            of: ChangeSubject(gate: name.bytewise),
            from: isAsserted ? app : given,
            to: isAssertedNow ? app : given
        )
    }

    // MARK: Gates

    private func finding(of gate: NamedGate) -> Finding? {
        let old = gate.old.flatMap { gives in pairing.old.gatesInOrder.first { $0.gives == gives } }
        let new = gate.new.flatMap { gives in pairing.new.gatesInOrder.first { $0.gives == gives } }
        guard old != nil || new != nil else { return nil }
        let before = old.flatMap { pairing.old.plan(of: $0.link)?.stack }.map(pairing.renaming)
        guard before != new.flatMap({ pairing.new.plan(of: $0.link)?.stack }) || old?.over != new?.over else {
            return nil
        }
        /// Returns the link of a gate, followed by its presentation over the app's current screens, if it has one.
        func text(_ link: String, over presentation: Presentation?) -> ByteText {
            (link + (presentation.map { " over \($0.name)" } ?? "")).bytewise
        }
        var finding = Finding(
            new == nil ? .gateRemoved : .gateChanged,
            of: ChangeSubject(gate: gate.name.bytewise),
            from: old.map { text($0.link, over: $0.over) },
            to: new.map { text($0.link, over: $0.over) },
            // An additional gate is harmless.
            harms: old == nil ? [.access: .info] : nil
        )
        finding.witness =
            old == nil
            ? gate.new.flatMap { refused(at: $0, by: pairing.new) }
            : gate.old.flatMap { refused(at: $0, by: pairing.old) }
        return finding
    }

    /// The levels and grants of both catalogs, each with its counterpart.
    private var namedGates: [NamedGate] {
        let (old, new) = (pairing.old, pairing.new)
        let levels: [NamedGate] = old.levels.all.map { level in
            let counterpart = new.levels.level(named: old.levels.name(of: level))
            return (old.levels.text(of: level), .level(level), counterpart.map { .level($0) })
        }
        let grants: [NamedGate] = old.grants.all.map { grant in
            (old.grants.text(of: grant), .grant(grant), pairing.counterpart(of: grant).map { .grant($0) })
        }
        let counterparts = (levels + grants).compactMap(\.new)
        let all = new.levels.all.map { Attainment.level($0) } + new.grants.all.map { Attainment.grant($0) }
        return levels + grants + all.filter { !counterparts.contains($0) }.map { (new.text(of: $0), nil, $0) }
    }

    /// Returns a link that is gated for users who lack only this level or grant.
    private func refused(at missing: Attainment, by catalog: RouteCatalog) -> String? {
        var permissions = Permissions.all
        switch missing {
        case .level(let level): permissions.level = catalog.levels.oneLower(than: level)
        case .grant(let grant): permissions.grants.remove(GrantSet(grant))
        }
        let witness = witnesses.first { witness in
            let answer = resolve(ResolutionRequest(link: witness.link), permissions: permissions, catalog: catalog)
            return if case .denial = answer { true } else { false }
        }
        return witness?.link.text
    }

    // MARK: Edges

    /// The changes of levels and grants on edges without a witness, and then of the apps and their required versions.
    var unwitnessed: [DeclaredChange] {
        // Check all users, not only the requested ones, because no link shows the change.
        let users = pairing.old.levels.pairs(with: pairing.new.levels)
        let access = changes { edge, new in
            pairing.changes(from: edge.authorizationLevel, to: new.authorizationLevel, for: users)
                + pairing.changes(from: edge.requirements.grants, to: new.requirements.grants)
        }
        return access
            + changes {
                pairing.changes(from: $0.requirements.since, to: $1.requirements.since)
                    + pairing.changes(from: $0.app, to: $1.app)
            }
    }

    /// Returns the changes of the linkable edges without a witness, which a function finds between both versions.
    private func changes(_ find: (Edge, Edge) -> [RequirementChange]) -> [DeclaredChange] {
        pairing.old.edges.indices.flatMap { index -> [DeclaredChange] in
            guard let other = pairing.inNew(index), !record.has(pairing.oldEdges.names[index]) else { return [] }
            let (edge, new) = (pairing.old.edges[index], pairing.new.edges[other])
            guard edge.isLinkable, new.isLinkable else { return [] }
            return find(edge, new)
                .map { found in
                    var change = pairing.change(found.rule, ofEdge: index, and: other, from: found.old, to: found.new)
                    change.harms = found.harms
                    return change
                }
        }
    }
}

extension RouteCatalog {
    /// Returns the plan of a link for a user with all permissions, or `nil` if it doesn't resolve.
    func plan(of text: String) -> RoutePlan? {
        guard let link = try? DeepLink(text, rootless: rootlessSchemes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: self)
        else { return nil }
        return plan
    }
}
