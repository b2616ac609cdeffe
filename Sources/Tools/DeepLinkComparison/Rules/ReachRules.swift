import DeepLinkCore

/// The changes of the lowest level at which links reach each route, if no single link shows them.
///
/// The path of the route may have changed as well, or the route may be reachable in a new way.
struct ReachRules {
    /// The links to a route that require the lowest level.
    private struct Reach {
        var level: AuthorizationLevel
        var edge: Int
        private(set) var links: [String]

        init(level: AuthorizationLevel, edge: Int, link: String) {
            self.level = level
            self.edge = edge
            links = [link]
        }

        /// Adds a link, up to the maximum number.
        mutating func append(_ link: String) {
            if links.count < Finding.maximumNamedCount { links.append(link) }
        }
    }

    private let pairing: CatalogPairing
    private let old: [ByteText: Reach]
    private let new: [ByteText: Reach]

    /// The rules for the users to check.
    private let rules: LevelRules

    init(
        _ pairing: CatalogPairing,
        users: [LevelPair],
        old: [Witness],
        new: [Witness],
        interruption: ComparisonInterruption
    ) throws(ComparisonInterruption.Stop) {
        self.pairing = pairing
        rules = LevelRules(users)
        self.old = try Self.reaches(old, in: pairing.old, name: pairing.newName, interruption: interruption)
        self.new = try Self.reaches(new, in: pairing.new, name: { $0 }, interruption: interruption)
    }

    private static func reaches(
        _ witnesses: [Witness],
        in catalog: RouteCatalog,
        name: (ByteText) -> ByteText,
        interruption: ComparisonInterruption
    ) throws(ComparisonInterruption.Stop) -> [ByteText: Reach] {
        var reaches: [ByteText: Reach] = [:]
        for witness in witnesses {
            try interruption.check()
            guard let top = witness.top else { continue }
            let route = name(catalog.routes[catalog.edges[top].child].name.bytewise)
            if let known = reaches[route], known.level < witness.level { continue }
            if reaches[route]?.level == witness.level {
                reaches[route]?.append(witness.link.text)
            } else {
                reaches[route] = Reach(level: witness.level, edge: top, link: witness.link.text)
            }
        }
        return reaches
    }

    /// Returns the findings, except for routes with links that already show them.
    func findings(beside told: [Finding]) -> [Finding] {
        let told = Set(told.map { Told(rule: $0.rule, route: $0.identity.subject.route) })
        return pairing.old.routes.flatMap { route -> [Finding] in
            let name = pairing.newName(route.name.bytewise)
            guard let before = old[name], let after = new[name] else { return [] }
            return rules.rules(from: before.level, to: after.level)
                .filter { !told.contains(Told(rule: $0, route: route.name.bytewise)) }
                .map { finding($0, of: route, before: before, after: after) }
        }
    }

    private func finding(_ rule: ChangeRule, of route: Route, before: Reach, after: Reach) -> Finding {
        let finding = Finding(
            rule,
            of: ChangeSubject(route: route.name.bytewise),
            from: pairing.old.levels.text(of: before.level).bytewise,
            to: pairing.new.levels.text(of: after.level).bytewise
        )
        return pairing.finding(
            finding,
            ofRequirement: .authorizationLevel,
            edges: (before.edge, after.edge),
            links: after.links
        )
    }

    /// The identity of a finding that links already show.
    private struct Told: Hashable {
        let rule: ChangeRule
        let route: ByteText?
    }
}

extension CatalogPairing {
    /// Returns a finding about a requirement of all links to a route, with its place and the links that show it.
    func finding(
        _ finding: Finding,
        ofRequirement key: DeclaredKey,
        edges: (old: Int, new: Int),
        links: [String]
    ) -> Finding {
        var finding = finding
        let place = place(ofRequirement: key, oldWay: [edges.old], newWay: [edges.new])
        locate(&finding, at: place, oldEdge: edges.old, newEdge: edges.new)
        finding.witness = links.first
        if finding.rule.widensAccess { finding.links = Array(links.prefix(Finding.maximumNamedCount)) }
        return finding
    }
}

/// The rules for required levels and for their ladders.
struct LevelRules {
    /// The users to check, by their levels in both catalogs.
    private let users: [LevelPair]

    init(_ users: [LevelPair]) {
        self.users = users
    }

    /// Returns the kinds of change between two required levels, or none if both admit the same users.
    func rules(from before: AuthorizationLevel, to after: AuthorizationLevel) -> [ChangeRule] {
        (users.areWidened(from: before, to: after) ? [.levelLowered] : [])
            + (users.areNarrowed(from: before, to: after) ? [.levelRaised] : [])
    }

    /// Returns the users to check: users with some levels of the former catalog, or all.
    static func users(named names: [LevelName]?, from old: LevelLadder, to new: LevelLadder) -> [LevelPair] {
        let pairs = old.pairs(with: new)
        guard let names else { return pairs }
        let levels = (old: names.compactMap(old.level(stored:)), new: names.compactMap(new.level(stored:)))
        return pairs.filter { levels.old.contains($0.old) || levels.new.contains($0.new) }
    }

    /// Returns the finding of levels that are reordered or missing, or `nil` if the order is the same.
    static func reordering(from old: LevelLadder, to new: LevelLadder) -> Finding? {
        let places = old.all.map { new.level(stored: old.name(of: $0)) }
        let known = places.compactMap(\.self)
        guard known.count < places.count || zip(known, known.dropFirst()).contains(where: { $0 >= $1 }) else {
            return nil
        }
        return Finding(.levelsReordered, from: old.list().bytewise, to: new.list().bytewise)
    }
}
