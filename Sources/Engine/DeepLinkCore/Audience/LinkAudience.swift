/// The outcome of a link for users, by their levels and grants: its destination, or a gate.
///
/// Assertions of the app (`from: app`) count as given: no store knows them.
package struct LinkAudience: Sendable {
    /// The outcome for a user.
    package enum Outcome: Hashable, Sendable {
        /// The link is resolved.
        case reached

        /// The link is gated, and its gate gives this level or grant.
        case gated(Attainment)

        /// The app is too old for the link.
        case outdated

        /// Another app has the link.
        case otherApp
    }

    /// The catalog, which names levels and grants.
    package let catalog: RouteCatalog

    /// The level and the grants that the link requires.
    package let requirement: Requirement

    /// The named app that has the link, or `nil` for every app.
    private let owner: AppIndex?

    /// The app versions that the link requires.
    private let requiredApps: RequiredApps

    /// Resolves a link once for all users, without regard to the app.
    ///
    /// - Throws: ``ResolutionError`` if the link fails for every user.
    package init(of request: ResolutionRequest, catalog: RouteCatalog) throws(ResolutionError) {
        let resolver = Resolver(catalog)
        let start = try resolver.startingPoint(of: request)
        let resolved = try resolver.stack(for: request, from: start)
        self.catalog = catalog
        requirement = resolver.requirement(of: resolved)
        owner = resolver.app(of: resolved)
        requiredApps = resolver.requiredApps(of: resolved)
    }

    /// Returns the outcome for a user with an app: the app and its version come before level and grants.
    package func outcome(for permissions: Permissions, app version: AppVersion? = nil) -> Outcome {
        if let version {
            let app = catalog.apps.index(of: version)
            if let owner, let app, app != owner { return .otherApp }
            guard requiredApps.allow(version, of: app) else { return .outdated }
        }
        let permissions = permissions.joined(with: catalog.allAssertions)
        guard !requirement.isMet(by: permissions) else { return .reached }
        // A catalog has a gate for everything that its routes require. Without a gate, no user gets further.
        return .gated(catalog.firstMissing(for: requirement, in: permissions) ?? .level(requirement.level))
    }

    /// The gates at which users may stop, in the order in which users obtain their levels and grants.
    package var gates: [Attainment] {
        catalog.gatesInOrder.map { $0.gives }.filter { $0.isMissing(in: catalog.allAssertions, for: requirement) }
    }

    /// Returns the number of users for whom the link is resolved, and the number of gated users for each gate in
    /// ``gates``.
    package func count(
        _ users: some Sequence<(permissions: Permissions, count: Int)>
    ) -> (reached: Int, gated: [(gate: Attainment, count: Int)]) {
        var reached = 0
        var gated: [Attainment: Int] = [:]
        for (permissions, count) in users {
            switch outcome(for: permissions) {
            case .reached: reached += count
            case .gated(let gate): gated[gate, default: 0] += count
            case .otherApp, .outdated: continue
            }
        }
        return (reached, gates.map { ($0, gated[$0] ?? 0) })
    }
}
