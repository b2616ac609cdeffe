package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting
package import DeepLinkUsers
import HTTPTypes

/// The resolution of requests by the engine, and the responses to them.
///
/// A class, since the handlers of several endpoints refer to it: that counts one reference, not one for each part.
package final class LinkResolver: Sendable {
    /// The levels of users.
    let levels: UserLevels

    /// The keys that sign links.
    let signingKeys: LinkSigningKeys

    /// The signing keys and the lifetime of continuations.
    let continuations: ContinuationSettings

    /// The metrics of resolutions; `nil` for none.
    let metrics: ServiceMetrics?

    /// The counts of resolutions; `nil` for none.
    let counts: ResolutionCounts?

    /// Returns the current time, which a stream of requests asks for each of them.
    let now: @Sendable () -> Timestamp

    /// Creates a resolver from its parts.
    package init(
        usersIn store: any UserStateStore,
        continuations: ContinuationSettings,
        signingKeys: LinkSigningKeys = LinkSigningKeys(),
        metrics: ServiceMetrics? = nil,
        counts: ResolutionCounts? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        levels = UserLevels(in: store)
        self.continuations = continuations
        self.signingKeys = signingKeys
        self.metrics = metrics
        self.counts = counts
        self.now = now
    }

    /// Resolves a link of a call at a user's level.
    ///
    /// A gated link carries the given continuation, otherwise a new one.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest,
        continuation: String? = nil
    ) throws(Problem) -> PlanBody {
        if let arrival = arguments.arrival { metrics?.arrived(arrival) }
        let decision = decide(
            arguments.request,
            userLevel: user.level,
            catalog: call.catalog,
            keys: signingKeys,
            // A continuation was given for a link that was in time, and lives by its own time.
            at: continuation == nil ? now() : nil,
            explains: arguments.explains
        )
        guard let explanation = decision.explanation else {
            return try body(
                of: decision,
                levelSource: user.source,
                for: arguments.request,
                continuation: continuation,
                in: call
            )
        }
        do throws(Problem) {
            return try body(
                of: decision,
                levelSource: user.source,
                for: arguments.request,
                continuation: continuation,
                in: call
            )
        } catch {
            throw error.adding(.init("explanation", steps: explanation))
        }
    }

    private func body(
        of decision: consuming Decision,
        levelSource source: LevelSource?,
        for request: ResolutionRequest,
        continuation: String?,
        in call: EndpointRequest
    ) throws(Problem) -> PlanBody {
        let (explanation, isContinuation) = (decision.explanation, continuation != nil)
        switch (consume decision).outcome {
        case .resolution(.plan(let plan)):
            metrics?.resolved(plan.topRoute ?? "")
            if let counts {
                let time = now()
                counts.resolved(plan, isContinuation: isContinuation, at: time)
                if counts.isLogged {
                    counts.log(event(.plan(plan), of: request, isContinuation: isContinuation, at: time, in: call))
                }
            }
            return PlanBody(plan, levelSource: source, explanation: explanation)
        case .resolution(.denial(let denial)):
            metrics?.gated(denial)
            if let counts {
                let time = now()
                counts.gated(denial, in: call.catalog, at: time)
                if counts.isLogged {
                    counts.log(event(.denial(denial), of: request, isContinuation: isContinuation, at: time, in: call))
                }
            }
            throw Problem(denial, continuation: continuation ?? newContinuation(for: request))
        case .resolution(.outdated(let update)):
            throw failed(Problem(update), resolving: request, isContinuation: isContinuation, in: call)
        case .resolution(.failure(let failure)):
            throw failed(Problem(failure), resolving: request, isContinuation: isContinuation, in: call)
        case .refusal(let problem): throw failed(problem, resolving: request, isContinuation: isContinuation, in: call)
        }
    }

    /// Counts a failed link, and returns its problem.
    private func failed(
        _ problem: Problem,
        resolving request: ResolutionRequest,
        isContinuation: Bool,
        in call: EndpointRequest
    ) -> Problem {
        metrics?.failed(problem.code)
        if let counts {
            let (code, time) = (problem.code.rawValue, now())
            counts.failed(code, link: request.link, in: call.catalog, at: time)
            if counts.isLogged {
                counts.log(event(.failure(code: code), of: request, isContinuation: isContinuation, at: time, in: call))
            }
        }
        return problem
    }

    /// Returns the line of the resolution log.
    private func event(
        _ outcome: ResolutionEvent.Outcome,
        of request: ResolutionRequest,
        isContinuation: Bool,
        at time: Timestamp,
        in call: EndpointRequest
    ) -> ResolutionEvent {
        ResolutionEvent(
            request: request,
            outcome: outcome,
            isContinuation: isContinuation,
            catalog: call.catalog,
            time: time,
            requestID: call.head.id
        )
    }

    /// Counts an answer to a visitor of a link, unless only its head is asked for.
    func note(_ visit: PageVisit, in call: EndpointRequest) {
        guard call.head.method != .head else { return }
        metrics?.visited(visit.outcome, route: visit.plan?.topRoute ?? "")
        guard let counts else { return }
        let (time, catalog) = (now(), visit.plan?.catalog ?? call.catalog)
        counts.visited(visit, in: catalog, at: time)
        guard counts.isLogged, let request = visit.request else { return }
        counts.log(
            ResolutionEvent(
                request: request,
                outcome: visit.plan.map { .plan($0) } ?? .failure(code: ProblemCode.noMatchingRoute.rawValue),
                visit: visit.outcome,
                isContinuation: false,
                catalog: catalog,
                time: time,
                requestID: call.head.id
            )
        )
    }

    private func newContinuation(for request: ResolutionRequest) -> String? {
        Continuation(request, at: now(), lifetime: continuations.lifetime).token(continuations.key)
    }

    /// Returns the level in effect, without waiting.
    ///
    /// - Returns: `nil` if it has to be waited for.
    func levelAtHand(
        for arguments: ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> UserLevel? {
        guard let user = arguments.user else {
            return UserLevel(level: arguments.level ?? .none, source: nil, isStale: false)
        }
        guard let found = try levels.grantAtHand(of: user, atLeast: arguments.userVersion) else { return nil }
        return try level(from: found, for: arguments, in: call)
    }

    /// Returns the level in effect, and waits for it if it is not cached.
    func level(for arguments: ResolveArguments, in call: EndpointRequest) async throws(Problem) -> UserLevel {
        guard let user = arguments.user else {
            return UserLevel(level: arguments.level ?? .none, source: nil, isStale: false)
        }
        let found = try await levels.findGrant(of: user, atLeast: arguments.userVersion)
        return try level(from: found, for: arguments, in: call)
    }

    /// Returns the level in effect from the store's finding for a level that was awaited.
    func level(
        from finding: Result<GrantLookup, any Error>,
        for arguments: ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> UserLevel {
        switch finding {
        case .success(let found): return try level(from: found, for: arguments, in: call)
        case .failure(let error): throw .userStateUnavailable(error)
        }
    }

    /// Returns the stored level, or an end user's level from the token if that is higher; then the source is given.
    private func level(
        from found: GrantLookup,
        for arguments: ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> UserLevel {
        let grant: LevelGrant?
        var isStale = false
        switch found {
        case .current(let current): grant = current
        case .stale(let former): (grant, isStale) = (former, true)
        case .behind(let current): throw .versionNotReached(arguments.userVersion, current: current)
        }
        let stored = grant?.level(at: now()) ?? .none
        guard case .endUser(let endUser) = call.caller else {
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
