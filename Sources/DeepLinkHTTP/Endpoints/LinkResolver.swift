import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkUsers

/// The resolution of a request by the engine, and the response to it.
struct LinkResolver {
    private let environment: ServiceEnvironment
    private let catalog: RouteCatalog
    private let caller: Caller
    private let requestID: String

    /// Creates a resolver that answers a caller from a catalog, at the time of each request, since a stream may last.
    init(_ environment: ServiceEnvironment, _ catalog: RouteCatalog, _ caller: Caller, requestID: String = "") {
        self.environment = environment
        self.catalog = catalog
        self.caller = caller
        self.requestID = requestID
    }

    /// Creates a resolver that answers from the catalog of a call.
    init(_ call: EndpointRequest) {
        self.init(call.environment, call.catalog, call.caller, requestID: call.head.id)
    }

    /// Resolves a link for a user; `nil` is a user of level `none`.
    ///
    /// A gated link carries the given continuation, otherwise a new one.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(
        for arguments: ResolveArguments,
        _ user: UserLevel,
        continuation: String? = nil
    ) throws(Problem) -> PlanBody {
        let decision = decide(
            arguments.request,
            userLevel: user.level,
            catalog: catalog,
            keys: environment.signingKeys,
            // A continuation was given for a link that was in time, and lives by its own time.
            at: continuation == nil ? environment.now() : nil,
            explains: arguments.explains
        )
        guard let explanation = decision.explanation else {
            return try body(decision, user.source, arguments.request, continuation)
        }
        do throws(Problem) {
            return try body(decision, user.source, arguments.request, continuation)
        } catch {
            throw error.adding(.init("explanation", steps: explanation))
        }
    }

    private func body(
        _ decision: consuming Decision,
        _ source: LevelSource?,
        _ request: ResolutionRequest,
        _ continuation: String?
    ) throws(Problem) -> PlanBody {
        let isContinuation = continuation != nil
        let explanation = decision.explanation
        switch (consume decision).outcome {
        case .resolution(.plan(let plan)):
            environment.metrics?.resolved(plan.topRoute ?? "")
            if let counts = environment.resolutions {
                let time = environment.now()
                counts.resolved(plan, isContinuation: isContinuation, at: time)
                if counts.isLogged { counts.log(event(.plan(plan), request, isContinuation, time)) }
            }
            return PlanBody(plan, levelSource: source, explanation: explanation)
        case .resolution(.denial(let denial)):
            environment.metrics?.gated(denial)
            if let counts = environment.resolutions {
                let time = environment.now()
                counts.gated(denial, in: catalog, at: time)
                if counts.isLogged { counts.log(event(.denial(denial), request, isContinuation, time)) }
            }
            throw Problem(denial, continuation: continuation ?? newContinuation(for: request))
        case .resolution(.outdated(let update)): throw failed(Problem(update), request, isContinuation)
        case .resolution(.failure(let failure)): throw failed(Problem(failure), request, isContinuation)
        case .refusal(let problem): throw failed(problem, request, isContinuation)
        }
    }

    /// Counts a failed link, and returns its problem.
    private func failed(_ problem: Problem, _ request: ResolutionRequest, _ isContinuation: Bool) -> Problem {
        environment.metrics?.failed(problem.code)
        if let counts = environment.resolutions {
            let (code, time) = (problem.code.rawValue, environment.now())
            counts.failed(code, link: request.link, in: catalog, at: time)
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

    private func newContinuation(for request: ResolutionRequest) -> String? {
        let settings = environment.continuations
        return Continuation(request, at: environment.now(), lifetime: settings.lifetime).token(settings.key)
    }

    /// Returns the level in effect, without waiting.
    ///
    /// - Returns: `nil` if it has to be waited for.
    func levelAtHand(for arguments: ResolveArguments) throws(Problem) -> UserLevel? {
        guard let user = arguments.user else {
            return UserLevel(level: arguments.level ?? .none, source: nil, isStale: false)
        }
        let finding = try environment.reading { try $0.grantAtHand(of: user, atLeast: arguments.userVersion) }
        return try finding.map { finding throws(Problem) in try level(finding, arguments.userVersion) }
    }

    /// Returns the level in effect, and waits for it if it is not cached.
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

    /// Returns the level in effect from the store's finding for a level that was awaited.
    func level(_ finding: Result<GrantLookup, any Error>, _ version: Int) throws(Problem) -> UserLevel {
        try level(try environment.reading { _ in try finding.get() }, version)
    }

    /// Returns the stored level, or an end user's level from the token if that is higher; then the source is given.
    private func level(_ finding: GrantLookup, _ version: Int) throws(Problem) -> UserLevel {
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
    /// Returns the problem for a user who has not reached the version that a request asks for.
    fileprivate static func versionNotReached(_ version: Int, current: Int) -> Problem {
        Problem(
            .versionMismatch,
            detail: "The user has not come to version \(version); name one that a write has answered with.",
            extensions: [current > 0 ? .init("version", number: current) : .init("version", text: nil as String?)]
        )
    }
}
