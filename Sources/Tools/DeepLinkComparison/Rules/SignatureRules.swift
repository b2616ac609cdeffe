import DeepLinkCore

/// The routes that required signed links, and that some links now reach without a signature, if no single link shows
/// it.
///
/// The path may have changed as well, or the route may be reachable in a new way.
struct SignatureRules {
    /// The links to a route.
    private struct Reach {
        var isUnsigned = false

        /// The edge at the top of the first link without a signature, or else of the first link, and all links without
        /// one.
        var edge: Int
        var links: [String] = []
    }

    private let pairing: CatalogPairing
    private let old: [ByteText: Reach]
    private let new: [ByteText: Reach]

    /// - Complexity: linear in the witnesses.
    init(_ pairing: CatalogPairing, old: [Witness], new: [Witness]) {
        self.pairing = pairing
        guard pairing.old.hasSignedRoutes else {
            (self.old, self.new) = ([:], [:])
            return
        }
        self.old = Self.reaches(old, in: pairing.old)
        self.new = Self.reaches(new, in: pairing.new)
    }

    private static func reaches(_ witnesses: [Witness], in catalog: RouteCatalog) -> [ByteText: Reach] {
        var reaches: [ByteText: Reach] = [:]
        for witness in witnesses {
            guard let top = witness.top else { continue }
            let route = catalog.routes[catalog.edges[top].child].name.bytewise
            var reach = reaches[route] ?? Reach(edge: top)
            if !witness.isSigned {
                if !reach.isUnsigned { reach.edge = top }
                reach.isUnsigned = true
                if reach.links.count < Finding.maximumNamedCount { reach.links.append(witness.link.text) }
            }
            reaches[route] = reach
        }
        return reaches
    }

    /// Returns the findings, except for routes with links that already show them.
    func findings(beside told: [Finding]) -> [Finding] {
        guard !old.isEmpty else { return [] }
        let told = Set(told.filter { $0.rule == .signatureDropped }.compactMap(\.identity.subject.route))
        return pairing.old.routes.compactMap { route -> Finding? in
            let name = route.name.bytewise
            guard let before = old[name], !before.isUnsigned, let after = new[pairing.newName(name)], after.isUnsigned,
                !told.contains(name)
            else { return nil }
            return pairing.finding(
                Finding(.signatureDropped, of: ChangeSubject(route: name), from: "signed", to: "not signed"),
                ofRequirement: .signed,
                edges: (before.edge, after.edge),
                links: after.links
            )
        }
    }
}
