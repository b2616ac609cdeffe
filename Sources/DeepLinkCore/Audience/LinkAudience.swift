/// The outcome of a link for the users of each level: its destination, or a gate.
package struct LinkAudience: Sendable {
    /// The outcome for the users of a level.
    package enum Outcome: Hashable, Sendable {
        /// The link is resolved.
        case reached

        /// The link is gated; the gate gives this level.
        case gated(AuthorizationLevel)

        /// The app is too old for the link.
        case outdated
    }

    /// The levels of the catalog, the lowest first.
    package let levels: LevelLadder

    private let outcomes: [Outcome]

    /// The app versions that the link requires.
    private let requiredApps: RequiredApps

    /// Resolves a link once for each level, without regard to the app.
    ///
    /// - Throws: ``ResolutionError``, if it fails for every user.
    package init(of request: ResolutionRequest, catalog: RouteCatalog) throws(ResolutionError) {
        var outcomes: [Outcome] = []
        var requiredApps = RequiredApps.none
        let request = request.asked(by: nil)
        for level in catalog.levels.all {
            switch resolve(request, userLevel: level, catalog: catalog) {
            case .plan(let plan):
                outcomes.append(.reached)
                requiredApps = plan.requiresApp
            case .outdated: outcomes.append(.outdated)
            // A catalog has a gate for every level that it requires; without one, no user gets further.
            case .denial(let denial): outcomes.append(.gated(denial.gate?.level ?? denial.requiredLevel))
            case .failure(let failure): throw failure
            }
        }
        levels = catalog.levels
        self.outcomes = outcomes
        self.requiredApps = requiredApps
    }

    /// The outcome for users of a level, without regard to the app.
    package subscript(level: AuthorizationLevel) -> Outcome { outcomes[Int(level.rank)] }

    /// Returns the outcome for users of a level with an app; an app that is too old comes before the level.
    package func outcome(for level: AuthorizationLevel, app: AppVersion?) -> Outcome {
        if let app, !requiredApps.allow(app) { return .outdated }
        return self[level]
    }

    /// Returns the number of users for whom the link is resolved, and those gated at each level, the lowest first.
    package func count(_ users: LevelCounts) -> (reached: Int, gated: [(level: AuthorizationLevel, count: Int)]) {
        var reached = 0
        var gated = LevelCounts()
        for level in levels.all {
            switch self[level] {
            case .reached: reached += users[level]
            case .gated(let gate): gated[gate] += users[level]
            case .outdated: continue
            }
        }
        let gates = Set(outcomes.compactMap { if case .gated(let gate) = $0 { gate } else { nil } })
        return (reached, gates.sorted().map { ($0, gated[$0]) })
    }
}
