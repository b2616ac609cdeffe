import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting

/// The way of a question to the engine, and of its answer to the wire.
struct LinkResolver {
    private let environment: ServiceEnvironment
    private let catalog: RouteCatalog
    private let caller: Caller
    private let requestID: String

    /// Answers a caller from a catalog; at the present moment, since a stream of questions may last.
    init(_ environment: ServiceEnvironment, _ catalog: RouteCatalog, _ caller: Caller, requestID: String = "") {
        self.environment = environment
        self.catalog = catalog
        self.caller = caller
        self.requestID = requestID
    }

    /// Answers from the catalog of a call.
    init(_ call: EndpointRequest) {
        self.init(call.environment, call.catalog, call.caller, requestID: call.head.id)
    }

    /// Resolves a link for a user; no user is one of level `none`.
    ///
    /// A refusal carries the continuation that is given, else a new one.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(
        for arguments: ResolveArguments,
        _ user: UserLevel,
        continuation: String? = nil
    ) throws(Problem) -> PlanBody {
        guard arguments.explains else {
            let resolution = resolve(arguments.request, userLevel: user.level, catalog: catalog)
            return try body(resolution, user.source, arguments.request, continuation, nil)
        }
        let explanation = explain(arguments.request, userLevel: user.level, catalog: catalog)
        let signature = environment.signingKeys.steps(
            for: explanation.resolution,
            of: arguments.request,
            catalog,
            at: continuation == nil ? environment.now() : nil
        )
        let steps = explanation.steps + signature
        do throws(Problem) {
            return try body(explanation.resolution, user.source, arguments.request, continuation, steps)
        } catch {
            throw error.adding(.init("explanation", steps))
        }
    }

    private func body(
        _ resolution: consuming Resolution,
        _ source: LevelSource?,
        _ request: ResolutionRequest,
        _ continuation: String?,
        _ steps: [ExplanationStep]?
    ) throws(Problem) -> PlanBody {
        let isContinuation = continuation != nil
        if catalog.hasSignedRoutes, let refusal = signatureProblem(resolution, request, continuation) {
            throw failed(refusal, request, isContinuation)
        }
        switch consume resolution {
        case .plan(let plan):
            environment.metrics?.resolved(plan.topRoute ?? "")
            if let counts = environment.resolutions {
                let time = environment.now()
                counts.resolved(plan, isContinuation: isContinuation, at: time)
                if counts.isLogged { counts.log(event(.plan(plan), request, isContinuation, time)) }
            }
            return PlanBody(plan, levelSource: source, explanation: steps)
        case .denial(let denial):
            environment.metrics?.denied(denial)
            if let counts = environment.resolutions {
                let time = environment.now()
                counts.gated(denial, in: catalog, at: time)
                if counts.isLogged { counts.log(event(.denial(denial), request, isContinuation, time)) }
            }
            throw Problem(denial, continuation: continuation ?? newContinuation(for: request))
        case .outdated(let update): throw failed(Problem(update), request, isContinuation)
        case .failure(let failure): throw failed(Problem(failure), request, isContinuation)
        }
    }

    /// Has a link counted that leads nowhere, and returns the reason.
    private func failed(_ problem: Problem, _ request: ResolutionRequest, _ isContinuation: Bool) -> Problem {
        environment.metrics?.failed(problem.code)
        if let counts = environment.resolutions {
            let (code, time) = (problem.code.rawValue, environment.now())
            counts.failed(code, request.link, in: catalog, at: time)
            if counts.isLogged { counts.log(event(.failure(code: code), request, isContinuation, time)) }
        }
        return problem
    }

    private func event(
        _ outcome: ResolutionEvent.Outcome,
        _ request: ResolutionRequest,
        _ isContinuation: Bool,
        _ time: Timestamp
    ) -> ResolutionEvent {
        ResolutionEvent(
            request: request,
            outcome: outcome,
            isContinuation: isContinuation,
            catalog: catalog,
            time: time,
            requestID: requestID
        )
    }

    /// Checks the signature of a link that leads somewhere; `nil` where it holds, or none is needed.
    ///
    /// A continuation was given for a link that was in time, and lives by its own time.
    private func signatureProblem(
        _ resolution: Resolution,
        _ request: ResolutionRequest,
        _ continuation: String?
    ) -> Problem? {
        environment.signingKeys.problem(
            with: resolution,
            of: request,
            catalog,
            at: continuation == nil ? environment.now() : nil
        )
    }

    private func newContinuation(for request: ResolutionRequest) -> String? {
        let settings = environment.continuations
        return Continuation(request, at: environment.now(), lifetime: settings.lifetime).token(settings.key)
    }

    /// Finds the level that counts, without waiting.
    ///
    /// - Returns: `nil` where it has to be waited for.
    func levelAtHand(for arguments: ResolveArguments) throws(Problem) -> UserLevel? {
        guard let user = arguments.user else {
            return UserLevel(level: arguments.level ?? .none, source: nil, isStale: false)
        }
        let finding = try environment.reading { try $0.grantAtHand(of: user, atLeast: arguments.userVersion) }
        return try finding.map { finding throws(Problem) in try level(finding, arguments.userVersion) }
    }

    /// Finds the level that counts, and waits for it where it is not at hand.
    func level(for arguments: ResolveArguments) async throws(Problem) -> UserLevel {
        guard let user = arguments.user else {
            return UserLevel(level: arguments.level ?? .none, source: nil, isStale: false)
        }
        let version = arguments.userVersion
        return try level(
            try await environment.readingLater { try await $0.findGrant(of: user, atLeast: version) },
            version
        )
    }

    /// Takes what the store has told of a level that was awaited.
    func level(_ finding: Result<GrantFinding, any Error>, _ version: Int) throws(Problem) -> UserLevel {
        try level(try environment.reading { _ in try finding.get() }, version)
    }

    /// Takes what is stored, or for an end user what the token gives where that is more; then it is said which.
    private func level(_ finding: GrantFinding, _ version: Int) throws(Problem) -> UserLevel {
        let grant: LevelGrant?
        var isStale = false
        switch finding {
        case .current(let current): grant = current
        case .stale(let former): (grant, isStale) = (former, true)
        case .behind(let current): throw .versionNotReached(version, current: current)
        }
        let stored = grant?.level(at: environment.now()) ?? .none
        guard case .endUser(let endUser) = caller else {
            return UserLevel(level: stored, source: nil, isStale: isStale)
        }
        return endUser.level > stored
            ? UserLevel(level: endUser.level, source: .token, isStale: isStale)
            : UserLevel(level: stored, source: .state, isStale: isStale)
    }
}

extension Problem {
    /// Reports that a user has not come to a version that a request asks for.
    fileprivate static func versionNotReached(_ version: Int, current: Int) -> Problem {
        Problem(
            .versionMismatch,
            "The user has not come to version \(version); name one that a write has answered with.",
            [current > 0 ? .init("version", current) : .init("version", nil as String?)]
        )
    }
}
