package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting
package import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The resolution of requests by the engine, and the responses to them.
///
/// ``ResolveArguments`` parses a request, ``followed(_:in:)`` follows its code, ``level(for:in:)`` finds the user's
/// permissions, and ``plan(for:at:in:)`` decides and answers. ``RecentAnswers`` repeats answers without these steps.
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
        from found: AccessLookupResult,
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

    /// Resolves the link of a request at a user's level, and tells the observers.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> PlanBody {
        try plan(by: decision(on: arguments, at: user, in: call), for: arguments, at: user, in: call)
    }

    /// Returns the plan of a decision, and tells the observers.
    ///
    /// - Throws: `Problem` for every outcome but a plan.
    func plan(
        by decision: consuming Decision,
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> PlanBody {
        let (link, body) = try outcome(of: decision, for: arguments, at: user, in: call)
        tell(.resolved(link), of: arguments, in: call)
        return body
    }

    /// Resolves the link of a continuation at a user's level, and tells the observers of every outcome but a plan.
    ///
    /// The observers are told of a plan once it is known whether the redemption is the first.
    ///
    /// - Throws: `Problem` for every outcome but a plan. The problem of a gated link carries the redeemed token.
    func plan(
        redeeming redemption: Redemption,
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> (link: LinkEvent.Resolved, body: PlanBody) {
        let decision = decision(on: arguments, at: user, in: call, isContinuation: true)
        return try outcome(of: decision, for: arguments, at: user, redeeming: redemption, in: call)
    }

    /// Returns the decision on the link of a request.
    func decision(
        on arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest,
        isContinuation: Bool = false
    ) -> Decision {
        decide(
            arguments.request,
            permissions: user.permissions,
            catalog: call.catalog,
            keys: signingKeys,
            // A continuation was issued for a link that was in time, and has its own expiry.
            at: isContinuation ? nil : now(),
            explains: arguments.explains
        )
    }

    private func outcome(
        of decision: consuming Decision,
        for arguments: ResolveArguments,
        at user: UserLevel,
        redeeming redemption: Redemption? = nil,
        in call: EndpointRequest
    ) throws(Problem) -> (link: LinkEvent.Resolved, body: PlanBody) {
        let explanation = decision.explanation
        let problem: Problem
        switch (consume decision).outcome {
        case .resolution(.plan(let plan)):
            return (LinkEvent.Resolved(plan), PlanBody(plan, levelSource: user.source, explanation: explanation))
        case .resolution(.denial(let denial)):
            tell(.gated(LinkEvent.Gated(denial)), of: arguments, redeeming: redemption, in: call)
            let token = redemption?.token ?? newContinuation(for: arguments, in: call).token(continuations.key)
            problem = Problem(denial, continuation: token)
        case .resolution(.otherApp(let denial)):
            problem = failed(Problem(denial), resolving: arguments, redeeming: redemption, in: call)
        case .resolution(.outdated(let update)):
            problem = failed(Problem(update), resolving: arguments, redeeming: redemption, in: call)
        case .resolution(.failure(let failure)):
            problem = failed(
                Problem(failure),
                at: failure.unmatched,
                resolving: arguments,
                redeeming: redemption,
                in: call
            )
        case .refusal(let refusal):
            problem = failed(Problem(refusal), resolving: arguments, redeeming: redemption, in: call)
        }
        throw explanation.map { problem.adding(.init("explanation", steps: $0)) } ?? problem
    }

    /// Returns a new continuation of a gated link.
    func newContinuation(for arguments: borrowing ResolveArguments, in call: EndpointRequest) -> Continuation {
        Continuation(
            arguments.request,
            boundTo: call.caller.endUserID,
            way: ContinuationWay(of: arguments),
            at: now(),
            lifetime: continuations.lifetime
        )
    }
}

/// The redemption of a continuation.
struct Redemption {
    /// The redeemed token.
    let token: String

    /// The path by which the link arrived when the token was issued.
    let way: ContinuationWay

    /// Begins a redemption.
    init(of continuation: Continuation, token: String) {
        self.token = token
        way = continuation.way
    }
}

extension LinkResolver {
    /// Tells the observers of a resolved, gated or failed link.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - arguments: the arguments of the resolution.
    ///   - redemption: the redemption that the link came with.
    ///   - isRepeated: whether a granted redemption repeats an earlier one of its token, which is not counted again.
    ///   - call: the request.
    func tell(
        _ outcome: LinkEvent.Outcome,
        of arguments: borrowing ResolveArguments,
        redeeming redemption: Redemption? = nil,
        isRepeated: Bool = false,
        in call: EndpointRequest
    ) {
        var traits = call.traits(of: arguments)
        if isRepeated { traits.insert(.uncounted) }
        if let redemption {
            traits.insert(.redeemed)
            if redemption.way.hasArrived { traits.insert(.arrived) }
        }
        tell(
            LinkEvent(
                outcome,
                of: arguments.request,
                traits: traits,
                arrival: arguments.arrival,
                shortLink: arguments.shortLink,
                catalog: call.catalog,
                at: now(),
                requestID: call.head.id
            )
        )
    }

    /// Tells the observers of a failed link, and returns its problem.
    ///
    /// - Parameters:
    ///   - problem: the problem.
    ///   - unmatched: the unmatched segments, from the first one without a match on, or `nil` if the link failed for
    ///     another reason.
    ///   - arguments: the arguments of the resolution.
    ///   - redemption: the redemption that the link came with.
    ///   - call: the request.
    /// - Returns: the problem.
    func failed(
        _ problem: Problem,
        at unmatched: [String]? = nil,
        resolving arguments: borrowing ResolveArguments,
        redeeming redemption: Redemption? = nil,
        in call: EndpointRequest
    ) -> Problem {
        tell(.failed(problem.code, unmatched: unmatched), of: arguments, redeeming: redemption, in: call)
        return problem
    }

    /// Tells the observers of a page or redirect for a visitor of a link, unless only its head was requested.
    func tell(_ visit: PageVisit, of shortLink: ShortLinkCountKey? = nil, in call: EndpointRequest) {
        guard call.head.method != .head else { return }
        tell(LinkEvent(visit, shortLink: shortLink, catalog: call.catalog, at: now(), requestID: call.head.id))
    }

    private func tell(_ event: LinkEvent) {
        for observer in observers { observer.observe(event) }
    }
}

extension EndpointRequest {
    /// Returns the flags for the use of a link.
    ///
    /// A line of a batch, a request for a level or an explanation, and `HEAD` only test the link. The request may name
    /// the app in several places.
    fileprivate func traits(of arguments: borrowing ResolveArguments) -> LinkEvent.Traits {
        var traits = LinkEvent.Traits()
        if arguments.explains || arguments.namesLevel || head.method == .head || head.takesLines {
            traits.insert(.uncounted)
        }
        if head.fields.namesApp || arguments.namesApp { traits.insert(.ofApp) }
        if case .endUser = caller { traits.insert(.ofUser) }
        if arguments.arrival != nil { traits.insert(.arrived) }
        return traits
    }
}

extension ContinuationWay {
    /// Creates the path of a request's link.
    init(of arguments: borrowing ResolveArguments) {
        self.init(
            code: arguments.shortLink?.code,
            label: arguments.shortLink?.label,
            isAboutUser: arguments.shortLink?.isAboutUser ?? false,
            hasArrived: arguments.arrival != nil
        )
    }

    /// The short link in the request, or `nil` for any other link.
    var shortLink: ShortLinkCountKey? {
        code.map { ShortLinkCountKey(code: $0, label: label, isAboutUser: isAboutUser) }
    }
}
