package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting
package import DeepLinkStorage
import HTTPTypes

/// The resolution of requests by the engine, and the responses to them.
///
/// It is a class, so that a handler counts one reference to it instead of one for each part.
package final class LinkResolver: Sendable {
    /// The cached and stored levels of users.
    let levels: UserLevels

    /// The keys that sign links.
    let signingKeys: LinkSigningKeys

    /// The signing keys and the lifetime of continuations.
    let continuations: ContinuationSettings

    /// The observers of every use of a link.
    let observers: [any LinkEventObserver]

    /// The short links, or `nil` on a server without a store for them.
    let shortLinks: ShortLinkService?

    /// The cache of recently resolved links.
    let recent = RecentLinks()

    /// Returns the current time, read for each line of a stream.
    let now: @Sendable () -> Timestamp

    /// Creates a resolver from its parts.
    package init(
        usersIn store: any UserStateStore,
        continuations: ContinuationSettings,
        signingKeys: LinkSigningKeys = LinkSigningKeys(),
        observers: [any LinkEventObserver] = [],
        shortLinks: ShortLinkService? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        levels = UserLevels(in: store)
        self.continuations = continuations
        self.signingKeys = signingKeys
        self.observers = observers
        self.shortLinks = shortLinks
        self.now = now
    }

    /// Resolves the link of a request at a user's level.
    ///
    /// A cached answer is reused.
    ///
    /// - Throws: `Problem` for every outcome but a plan and a cached denial.
    func answer(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> LinkAnswer {
        if case .known(let link) = arguments.memory, let answer = link.answer(for: user.permissions, from: user.source)
        {
            return written(answer.outcome, to: arguments, in: call)
        }
        guard arguments.isWorthKeeping else { return .plan(try plan(for: arguments, at: user, in: call).json) }
        let decision = decision(on: arguments, for: user.permissions, in: call)
        guard let outcome = lasting(decision, on: arguments.request, from: user.source) else {
            let (link, body) = try answer(to: decision, levelSource: user.source, for: arguments, in: call)
            tell(.resolved(link), of: arguments, in: call)
            return .plan(body.json)
        }
        recent.keep(
            outcome,
            to: arguments.request,
            following: arguments.followed,
            for: user.permissions,
            from: user.source,
            in: call.catalog
        )
        return written(outcome, to: arguments, in: call)
    }

    /// Returns the part of an answer that is the same each time, or `nil` if it depends on more than link, catalog,
    /// level and grants.
    private func lasting(
        _ decision: Decision,
        on request: ResolutionRequest,
        from source: LevelSource?
    ) -> RecentLinks.Outcome? {
        switch decision.outcome {
        case .resolution(.plan(let plan)) where plan.signature == nil:
            let json = PlanBody(plan, levelSource: source).json
            return .plan(RecentLinks.KeptPlan(LinkEvent.Resolved(plan), json: json))
        case .resolution(.denial(let denial)) where denial.signature == nil:
            guard let terms = Continuation.terms(of: request) else { return nil }
            let json = Problem(denial).json.dropLast() + Self.member
            return .denial(RecentLinks.KeptDenial(LinkEvent.Gated(denial), json: json, terms: terms))
        case .resolution, .refusal: return nil
        }
    }

    /// Tells the observers of an answer, and writes its variable part.
    private func written(
        _ outcome: RecentLinks.Outcome,
        to arguments: borrowing ResolveArguments,
        in call: EndpointRequest
    ) -> LinkAnswer {
        switch outcome {
        case .plan(let kept):
            tell(.resolved(kept.link), of: arguments, in: call)
            return .plan(kept.json)
        case .denial(let kept):
            tell(.gated(kept.link), of: arguments, in: call)
            return .denial(continued(kept.json, for: arguments, terms: kept.terms, in: call))
        }
    }

    /// The name of a problem's last member, up to its value.
    private static let member = Array(",\"continuation\":\"".utf8)

    /// Returns the JSON of a cached denial with a new continuation.
    private func continued(
        _ json: [UInt8],
        for arguments: borrowing ResolveArguments,
        terms: [UInt8],
        in call: EndpointRequest
    ) -> [UInt8] {
        let continuation = newContinuation(for: arguments, in: call)
        // The terms of a short link contain its target.
        let token = continuation.tokenBytes(continuations.key, terms: terms) ?? []
        var body: [UInt8] = []
        body.reserveCapacity(json.count + token.count + 2)
        body += json
        body += token
        body += "\"}".utf8
        return body
    }

    /// Resolves the link of a request at a user's level, and tells the observers.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> PlanBody {
        let (link, body) = try resolved(arguments, at: user, in: call)
        tell(.resolved(link), of: arguments, in: call)
        return body
    }

    /// Resolves the link of a request at a user's level, and tells the observers of every outcome but a plan.
    ///
    /// A gated link carries the redeemed token, or else a new one.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func resolved(
        _ arguments: ResolveArguments,
        at user: UserLevel,
        redeeming redemption: Redemption? = nil,
        in call: EndpointRequest
    ) throws(Problem) -> (link: LinkEvent.Resolved, body: PlanBody) {
        let decision = decision(on: arguments, for: user.permissions, in: call, isContinuation: redemption != nil)
        let explanation = decision.explanation
        do throws(Problem) {
            return try answer(to: decision, levelSource: user.source, for: arguments, redeeming: redemption, in: call)
        } catch {
            throw explanation.map { error.adding(.init("explanation", steps: $0)) } ?? error
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
            // A continuation was issued for a link that was in time, and has its own expiry.
            at: isContinuation ? nil : now(),
            explains: arguments.explains
        )
    }

    private func answer(
        to decision: consuming Decision,
        levelSource source: LevelSource?,
        for arguments: ResolveArguments,
        redeeming redemption: Redemption? = nil,
        in call: EndpointRequest
    ) throws(Problem) -> (link: LinkEvent.Resolved, body: PlanBody) {
        let explanation = decision.explanation
        switch (consume decision).outcome {
        case .resolution(.plan(let plan)):
            return (LinkEvent.Resolved(plan), PlanBody(plan, levelSource: source, explanation: explanation))
        case .resolution(.denial(let denial)):
            tell(.gated(LinkEvent.Gated(denial)), of: arguments, redeeming: redemption, in: call)
            throw Problem(
                denial,
                continuation: redemption?.token ?? newContinuation(for: arguments, in: call).token(continuations.key)
            )
        case .resolution(.outdated(let update)):
            throw failed(Problem(update), resolving: arguments, redeeming: redemption, in: call)
        case .resolution(.failure(let failure)):
            throw failed(
                Problem(failure),
                at: failure.unmatched,
                resolving: arguments,
                redeeming: redemption,
                in: call
            )
        case .refusal(let refusal):
            throw failed(Problem(refusal), resolving: arguments, redeeming: redemption, in: call)
        }
    }

    private func newContinuation(for arguments: borrowing ResolveArguments, in call: EndpointRequest) -> Continuation {
        Continuation(
            arguments.request,
            boundTo: call.caller.endUserID,
            way: ContinuationWay(of: arguments),
            at: now(),
            lifetime: continuations.lifetime
        )
    }

    /// Returns the level in effect.
    func level(for arguments: ResolveArguments, in call: EndpointRequest) throws(Problem) -> Answer<UserLevel> {
        guard let user = arguments.user else {
            return .ready(UserLevel(arguments.permissions, asserting: arguments.assertions))
        }
        // Hardly any level is waited for: nothing is copied for one that is ready.
        switch try levels.access(of: user, atLeast: arguments.userVersion) {
        case .ready(let found): return .ready(try level(from: found, for: arguments, in: call))
        case .waiting(let wait):
            return .waiting { [self] in try level(from: try await wait(), for: arguments, in: call) }
        }
    }

    /// Returns the stored level, or an end user's level from the token if that is higher, with the grants of both and
    /// all permissions that the app asserts.
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

/// The answer to a link, written as JSON.
enum LinkAnswer {
    /// A resolved link with its plan.
    case plan([UInt8])

    /// The problem of a link that the user's level does not allow.
    case denial([UInt8])

    /// The JSON of the answer.
    var json: [UInt8] {
        switch self {
        case .plan(let json), .denial(let json): json
        }
    }

    /// Returns the response of an endpoint for one link, with additional fields.
    func response(fields: HTTPFields = HTTPFields()) -> EndpointResponse {
        switch self {
        case .plan(let json): EndpointResponse(json: json, fields: fields)
        case .denial(let json):
            EndpointResponse(problem: .insufficientAuthorizationLevel, json: json, fields: fields)
        }
    }
}
