import DeepLinkCore

/// Takes a question to the engine, and its answer to the wire.
struct LinkAnswer {
    let environment: ServiceEnvironment

    /// Resolves a link for a user; no user is one of level `none`.
    ///
    /// - Throws: ``Problem`` for every outcome but a plan.
    func plan(for arguments: ResolveArguments) throws(Problem) -> PlanBody {
        let level = try level(of: arguments.user)
        let catalog = environment.catalog
        guard arguments.explains else {
            return try body(resolve(arguments.request, userLevel: level, catalog: catalog), nil, catalog)
        }
        let explanation = explain(arguments.request, userLevel: level, catalog: catalog)
        do throws(Problem) {
            return try body(explanation.resolution, explanation.steps, catalog)
        } catch {
            throw error.adding(.init("explanation", explanation.steps))
        }
    }

    private func body(
        _ resolution: Resolution,
        _ steps: [ExplanationStep]?,
        _ catalog: RouteCatalog
    ) throws(Problem) -> PlanBody {
        switch resolution {
        case .plan(let plan): return PlanBody(plan, explanation: steps, catalogVersion: catalog.version)
        case .denial(let denial): throw Problem(denial)
        case .failure(let failure): throw Problem(failure)
        }
    }

    private func level(of user: UserID?) throws(Problem) -> AuthorizationLevel {
        guard let user else { return .none }
        do {
            return try environment.store.state(of: user)?.level(at: environment.now()) ?? .none
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}
