import CoreMetrics
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

    /// The short links; `nil` on a server whose store has none.
    let shortLinks: ShortLinkService?

    /// The links that were resolved lately.
    let recent = RecentLinks()

    /// Returns the current time, which a stream of requests asks for each of them.
    let now: @Sendable () -> Timestamp

    /// Creates a resolver from its parts.
    package init(
        usersIn store: any UserStateStore,
        continuations: ContinuationSettings,
        signingKeys: LinkSigningKeys = LinkSigningKeys(),
        metrics: ServiceMetrics? = nil,
        counts: ResolutionCounts? = nil,
        shortLinks: ShortLinkService? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        levels = UserLevels(in: store)
        self.continuations = continuations
        self.signingKeys = signingKeys
        self.metrics = metrics
        self.counts = counts
        self.shortLinks = shortLinks
        self.now = now
    }

    /// Resolves a link of a call at a user's level.
    ///
    /// The answer to a link that was resolved lately is the one that was kept.
    ///
    /// - Throws: `Problem` for every outcome but a plan, and a denial that was kept.
    func answer(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> LinkAnswer {
        if let arrival = arguments.arrival { metrics?.arrived(arrival) }
        if case .known(let link) = arguments.memory, let answer = link.answer(for: user.permissions, from: user.source)
        {
            return written(answer.outcome, counters: answer.counters, to: arguments.request, in: call)
        }
        guard arguments.isWorthKeeping else { return .plan(try uncountedPlan(for: arguments, at: user, in: call).json) }
        let decision = decision(on: arguments, for: user.permissions, in: call)
        guard let (outcome, counters) = lasting(decision, on: arguments.request, from: user.source) else {
            let plan = try body(
                of: decision,
                levelSource: user.source,
                for: arguments.request,
                continuation: nil,
                in: call
            )
            return .plan(plan.json)
        }
        recent.keep(
            outcome,
            counters: counters,
            to: arguments.request,
            following: arguments.followed,
            for: user.permissions,
            from: user.source,
            in: call.catalog
        )
        return written(outcome, counters: counters, to: arguments.request, in: call)
    }

    /// Returns the part of an answer that is the same each time, with its counters; `nil` if more decided it than link,
    /// catalog, level and grants.
    private func lasting(
        _ decision: Decision,
        on request: ResolutionRequest,
        from source: LevelSource?
    ) -> (RecentLinks.Outcome, counters: [Counter])? {
        switch decision.outcome {
        case .resolution(.plan(let plan)) where plan.signature == nil:
            let json = PlanBody(plan, levelSource: source).json
            return (
                .plan(RecentLinks.KeptPlan(plan, json: json)), metrics.map { [$0.resolved(plan.topRoute ?? "")] } ?? []
            )
        case .resolution(.denial(let denial)) where denial.signature == nil:
            guard let terms = Continuation.terms(of: request) else { return nil }
            let json = Problem(denial).json.dropLast() + Self.member
            let kept = RecentLinks.KeptDenial(denial, json: json, terms: terms)
            return (.denial(kept), metrics?.gated(denial) ?? [])
        case .resolution, .refusal: return nil
        }
    }

    /// Counts an answer, and writes the part of it that differs each time.
    private func written(
        _ outcome: RecentLinks.Outcome,
        counters: [Counter],
        to request: ResolutionRequest,
        in call: EndpointRequest
    ) -> LinkAnswer {
        for counter in counters { counter.increment() }
        switch outcome {
        case .plan(let kept):
            count(kept.plan, of: request, isContinuation: false, in: call)
            return .plan(kept.json)
        case .denial(let kept):
            count(kept.denial, of: request, isContinuation: false, in: call)
            return .denial(continued(kept.json, of: request, terms: kept.terms, in: call))
        }
    }

    /// The name of a problem's last member, up to its value.
    private static let member = Array(",\"continuation\":\"".utf8)

    /// Returns the JSON of a kept denial with a new continuation.
    private func continued(
        _ json: [UInt8],
        of request: ResolutionRequest,
        terms: [UInt8],
        in call: EndpointRequest
    ) -> [UInt8] {
        let continuation = newContinuation(for: request, in: call)
        // The terms are those of a short link.
        let token = continuation.tokenBytes(continuations.key, terms: terms) ?? []
        var body: [UInt8] = []
        body.reserveCapacity(json.count + token.count + 2)
        body += json
        body += token
        body += "\"}".utf8
        return body
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
        return try uncountedPlan(for: arguments, at: user, in: call, continuation: continuation)
    }

    /// Resolves a link whose arrival is counted already.
    private func uncountedPlan(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest,
        continuation: String? = nil
    ) throws(Problem) -> PlanBody {
        let decision = decision(on: arguments, for: user.permissions, in: call, isContinuation: continuation != nil)
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

    private func decision(
        on arguments: ResolveArguments,
        for permissions: Permissions,
        in call: EndpointRequest,
        isContinuation: Bool = false
    ) -> Decision {
        decide(
            arguments.request,
            permissions: permissions,
            catalog: call.catalog,
            keys: signingKeys,
            // A continuation was given for a link that was in time, and lives by its own time.
            at: isContinuation ? nil : now(),
            explains: arguments.explains
        )
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
            metrics?.resolved(plan.topRoute ?? "").increment()
            count(plan, of: request, isContinuation: isContinuation, in: call)
            return PlanBody(plan, levelSource: source, explanation: explanation)
        case .resolution(.denial(let denial)):
            for counter in metrics?.gated(denial) ?? [] { counter.increment() }
            count(denial, of: request, isContinuation: isContinuation, in: call)
            throw Problem(
                denial,
                continuation: continuation ?? newContinuation(for: request, in: call).token(continuations.key)
            )
        case .resolution(.outdated(let update)):
            throw failed(Problem(update), resolving: request, isContinuation: isContinuation, in: call)
        case .resolution(.failure(let failure)):
            throw failed(Problem(failure), resolving: request, isContinuation: isContinuation, in: call)
        case .refusal(let problem): throw failed(problem, resolving: request, isContinuation: isContinuation, in: call)
        }
    }

    /// Counts a resolved link in the report.
    private func count(
        _ plan: borrowing RoutePlan,
        of request: ResolutionRequest,
        isContinuation: Bool,
        in call: EndpointRequest
    ) {
        guard let counts else { return }
        let time = now()
        counts.resolved(plan, isContinuation: isContinuation, at: time)
        guard counts.isLogged else { return }
        counts.log(event(.plan(copy plan), of: request, isContinuation: isContinuation, at: time, in: call))
    }

    /// Counts a gated link in the report.
    private func count(
        _ denial: borrowing Denial,
        of request: ResolutionRequest,
        isContinuation: Bool,
        in call: EndpointRequest
    ) {
        guard let counts else { return }
        let time = now()
        counts.gated(denial, in: call.catalog, at: time)
        guard counts.isLogged else { return }
        counts.log(event(.denial(copy denial), of: request, isContinuation: isContinuation, at: time, in: call))
    }

    /// Counts a failed link, and returns its problem.
    func failed(
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

    private func newContinuation(for request: ResolutionRequest, in call: EndpointRequest) -> Continuation {
        Continuation(request, boundTo: call.caller.endUserID, at: now(), lifetime: continuations.lifetime)
    }

    /// Returns the level in effect, without waiting.
    ///
    /// - Returns: `nil` if it has to be waited for.
    func levelAtHand(
        for arguments: ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> UserLevel? {
        guard let user = arguments.user else {
            return UserLevel(arguments.permissions, asserting: arguments.assertions)
        }
        guard let found = try levels.accessAtHand(of: user, atLeast: arguments.userVersion) else { return nil }
        return try level(from: found, for: arguments, in: call)
    }

    /// Returns the level in effect, and waits for it if it is not cached.
    func level(for arguments: ResolveArguments, in call: EndpointRequest) async throws(Problem) -> UserLevel {
        guard let user = arguments.user else {
            return UserLevel(arguments.permissions, asserting: arguments.assertions)
        }
        let found = try await levels.findAccess(of: user, atLeast: arguments.userVersion)
        return try level(from: found, for: arguments, in: call)
    }

    /// Returns the level in effect from the store's finding for a level that was awaited.
    func level(
        from finding: Result<AccessLookup, any Error>,
        for arguments: ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> UserLevel {
        switch finding {
        case .success(let found): return try level(from: found, for: arguments, in: call)
        case .failure(let error): throw .userStateUnavailable(error)
        }
    }

    /// Returns the stored level, or an end user's level from the token if that is higher, with the grants of both and all
    /// that the app asserts.
    private func level(
        from found: AccessLookup,
        for arguments: ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> UserLevel {
        let access: UserAccess?
        var isStale = false
        switch found {
        case .current(let current): access = current
        case .stale(let former): (access, isStale) = (former, true)
        case .behind(let current): throw .versionNotReached(arguments.userVersion, current: current)
        }
        let stored = access?.permissions(at: now(), in: call.catalog) ?? .none
        guard case .endUser(let endUser) = call.caller else {
            return UserLevel(stored, isStale: isStale, asserting: arguments.assertions)
        }
        let own = endUser.permissions(in: call.catalog)
        return UserLevel(
            stored.joined(with: own),
            source: own.level > stored.level ? .token : .state,
            isStale: isStale,
            asserting: arguments.assertions
        )
    }
}
