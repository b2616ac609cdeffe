import DeepLinkCore

/// The lowest level with which links reach each route, where that changes and no single link shows it: its path may have
/// changed as well, or there is a new way to it.
struct ReachRules {
    /// The easiest ways to a route.
    private struct Reach {
        var level: AuthorizationLevel
        var edge: Int
        var links: [String]
    }

    private let pairing: CatalogPairing
    private let old: [ByteText: Reach]
    private let new: [ByteText: Reach]

    /// The levels whose users are asked for.
    private let levels: [AuthorizationLevel]

    init(_ pairing: CatalogPairing, levels: [AuthorizationLevel], old: [Witness], new: [Witness]) {
        self.pairing = pairing
        self.levels = levels
        self.old = Self.reaches(old, pairing.old, pairing.newName)
        self.new = Self.reaches(new, pairing.new) { $0 }
    }

    private static func reaches(
        _ witnesses: [Witness],
        _ catalog: RouteCatalog,
        _ name: (ByteText) -> ByteText
    ) -> [ByteText: Reach] {
        var reaches: [ByteText: Reach] = [:]
        for witness in witnesses {
            guard let top = witness.top else { continue }
            let route = name(catalog.routes[catalog.edges[top].child].name.bytewise)
            if let known = reaches[route], known.level < witness.level { continue }
            if reaches[route]?.level == witness.level {
                reaches[route]?.links.append(witness.link.text)
            } else {
                reaches[route] = Reach(level: witness.level, edge: top, links: [witness.link.text])
            }
        }
        return reaches
    }

    /// The findings, but for routes of which links tell as much.
    func findings(beside told: [Finding]) -> [Finding] {
        let told = Set(told.map { Told(rule: $0.rule, route: $0.identity.subject.route) })
        return pairing.old.routes.compactMap { route -> Finding? in
            let name = pairing.newName(route.name.bytewise)
            guard let before = old[name], let after = new[name], before.level != after.level,
                levels.contains(where: { ($0 >= before.level) != ($0 >= after.level) })
            else { return nil }
            let rule: ChangeRule = after.level < before.level ? .levelLowered : .levelRaised
            guard !told.contains(Told(rule: rule, route: route.name.bytewise)) else { return nil }
            var subject = ChangeSubject()
            subject.route = route.name.bytewise
            var finding = Finding(
                Finding.Identity(
                    rule: rule,
                    subject: subject,
                    old: before.level.name.bytewise,
                    new: after.level.name.bytewise
                )
            )
            finding.oldLocation = pairing.old.edges[before.edge].location
            finding.newLocation = pairing.new.edges[after.edge].location
            finding.witness = after.links.first
            if rule == .levelLowered { finding.links = Array(after.links.prefix(Finding.maximumNamedCount)) }
            return finding
        }
    }

    /// What links have told already.
    private struct Told: Hashable {
        let rule: ChangeRule
        let route: ByteText?
    }
}
