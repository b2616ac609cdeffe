/// Where a link takes the users of each level: to its end, or to which gate.
public struct LinkAudience: Sendable {
    /// Where users of a level come.
    public enum Outcome: Hashable, Sendable {
        /// To where the link leads.
        case reached

        /// To the gate that gives this level.
        case gated(AuthorizationLevel)

        /// Nowhere, since the app is too old.
        case outdated
    }

    private let outcomes: [Outcome]

    /// The versions of the app that the link takes.
    private let requiredApps: RequiredApps

    /// Resolves a link once for each level, whatever the app.
    ///
    /// - Throws: ``ResolutionError`` where it leads nowhere, whoever asks.
    public init(of request: ResolutionRequest, catalog: RouteCatalog) throws(ResolutionError) {
        var outcomes: [Outcome] = []
        var requiredApps = RequiredApps.none
        let request = request.asked(by: nil)
        for level in AuthorizationLevel.allCases.sorted() {
            switch resolve(request, userLevel: level, catalog: catalog) {
            case .plan(let plan):
                outcomes.append(.reached)
                requiredApps = plan.requiresApp
            case .outdated: outcomes.append(.outdated)
            // A catalog has a gate for every level that it asks for; without one, nobody gets further.
            case .denial(let denial): outcomes.append(.gated(denial.gate?.level ?? denial.requiredLevel))
            case .failure(let failure): throw failure
            }
        }
        self.outcomes = outcomes
        self.requiredApps = requiredApps
    }

    /// The outcome for users of a level, whatever the app.
    public subscript(level: AuthorizationLevel) -> Outcome { outcomes[Int(level.rawValue)] }

    /// The outcome for users of a level with an app; one that is too old is told before the level.
    public func outcome(for level: AuthorizationLevel, app: AppVersion?) -> Outcome {
        if let app, !requiredApps.allow(app) { return .outdated }
        return self[level]
    }

    /// Counts how many of some users reach the end, and how many stop at which gate, the lowest first.
    public func count(_ users: LevelCounts) -> (reached: Int, gated: [(level: AuthorizationLevel, count: Int)]) {
        var reached = 0
        var gated = LevelCounts()
        for level in AuthorizationLevel.allCases {
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
