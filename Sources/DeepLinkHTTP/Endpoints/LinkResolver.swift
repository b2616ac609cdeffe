import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

/// The way of a question to the engine, and of its answer to the wire.
struct LinkResolver {
    private let environment: ServiceEnvironment
    private let catalog: RouteCatalog
    private let caller: Caller

    /// Answers a caller from a catalog; at the present moment, since a stream of questions may last.
    init(_ environment: ServiceEnvironment, _ catalog: RouteCatalog, _ caller: Caller) {
        self.environment = environment
        self.catalog = catalog
        self.caller = caller
    }

    /// Answers from the catalog of a call.
    init(_ call: EndpointRequest) {
        self.init(call.environment, call.catalog, call.caller)
    }

    /// Resolves a link for a user; no user is one of level `none`.
    ///
    /// A refusal carries the continuation that is given, else a new one.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(for arguments: ResolveArguments, continuation: String? = nil) throws(Problem) -> PlanBody {
        let (level, source) = try level(for: arguments)
        guard arguments.explains else {
            let resolution = resolve(arguments.request, userLevel: level, catalog: catalog)
            return try body(resolution, source, arguments.request, continuation, nil)
        }
        let explanation = explain(arguments.request, userLevel: level, catalog: catalog)
        do throws(Problem) {
            return try body(explanation.resolution, source, arguments.request, continuation, explanation.steps)
        } catch {
            throw error.adding(.init("explanation", explanation.steps))
        }
    }

    private func body(
        _ resolution: consuming Resolution,
        _ source: LevelSource?,
        _ request: ResolutionRequest,
        _ continuation: String?,
        _ steps: [ExplanationStep]?
    ) throws(Problem) -> PlanBody {
        switch consume resolution {
        case .plan(let plan): return PlanBody(plan, levelSource: source, explanation: steps)
        case .denial(let denial): throw Problem(denial, continuation: continuation ?? newContinuation(for: request))
        case .failure(let failure): throw Problem(failure)
        }
    }

    private func newContinuation(for request: ResolutionRequest) -> String? {
        let settings = environment.continuations
        return Continuation(request, at: environment.now(), lifetime: settings.lifetime).token(settings.key)
    }

    /// Finds the level that counts: that which is asked for, or the user's; for an end user, also whether the stored state gives it or the token, which does where
    /// it gives more.
    private func level(for arguments: ResolveArguments) throws(Problem) -> (AuthorizationLevel, LevelSource?) {
        guard let user = arguments.user else { return (arguments.level ?? .none, nil) }
        let stored = try environment.reading { try $0.grant(of: user) }?.level(at: environment.now()) ?? .none
        guard case .endUser(let endUser) = caller else { return (stored, nil) }
        return endUser.level > stored ? (endUser.level, .token) : (stored, .state)
    }
}
