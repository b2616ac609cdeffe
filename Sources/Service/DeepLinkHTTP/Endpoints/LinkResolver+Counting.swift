import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import HTTPTypes

/// The redemption of a continuation, counted once it is known whether it is the first granted one.
///
/// It is a class, since the resolution of the link stores its plan here.
final class Redemption {
    /// The redeemed token.
    let token: String

    /// The path by which the link arrived when the token was issued.
    let way: ContinuationWay

    /// The plan of the link, if it was granted.
    var plan: RoutePlan?

    /// Begins a redemption.
    init(of continuation: Continuation, token: String) {
        self.token = token
        way = continuation.way
    }
}

extension LinkResolver {
    /// Counts a resolved link.
    func count(_ plan: borrowing RoutePlan, for arguments: borrowing ResolveArguments, in call: EndpointRequest) {
        guard let counts else { return }
        let time = now()
        if !call.isTrial(arguments) {
            counts.resolved(plan, isContinuation: false, at: time)
            if let linkCounts, let signs = call.appSigns(of: arguments) {
                linkCounts.opened(plan, use: LinkUse(signs, of: arguments), at: time)
            }
        }
        guard counts.isLogged else { return }
        counts.log(event(.plan(copy plan), for: arguments, at: time, in: call))
    }

    /// Counts a granted redemption.
    ///
    /// Only the first of a token opens the link.
    func count(
        _ redemption: Redemption,
        isFirst: Bool,
        for arguments: borrowing ResolveArguments,
        in call: EndpointRequest
    ) {
        guard let counts, let plan = redemption.plan else { return }
        let time = now()
        if isFirst {
            counts.resolved(plan, isContinuation: true, at: time)
            if let linkCounts, let signs = call.appSigns(of: arguments) {
                let use = LinkUse(signs.union(.passed), of: arguments, redeeming: redemption)
                linkCounts.opened(plan, use: use, at: time)
            }
        }
        guard counts.isLogged else { return }
        counts.log(event(.plan(plan), for: arguments, redeeming: redemption, at: time, in: call))
    }

    /// Counts a gated link.
    func count(
        _ denial: borrowing Denial,
        for arguments: borrowing ResolveArguments,
        redeeming redemption: Redemption? = nil,
        in call: EndpointRequest
    ) {
        guard let counts else { return }
        let time = now()
        if !call.isTrial(arguments) {
            counts.gated(denial, in: call.catalog, at: time)
            if let linkCounts, let signs = call.appSigns(of: arguments) {
                linkCounts.gated(denial, use: LinkUse(signs, of: arguments), at: time)
            }
        }
        guard counts.isLogged else { return }
        counts.log(event(.denial(copy denial), for: arguments, redeeming: redemption, at: time, in: call))
    }

    /// Counts a failed link, and returns its problem.
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
        metrics?.failed(problem.code)
        guard let counts else { return problem }
        let (code, time) = (problem.code.rawValue, now())
        if !call.isTrial(arguments) {
            counts.failed(code, link: arguments.request.link, unmatched: unmatched, in: call.catalog, at: time)
            if let linkCounts, let signs = call.appSigns(of: arguments) {
                linkCounts.failed(use: LinkUse(signs, of: arguments), at: time)
            }
        }
        if counts.isLogged {
            counts.log(event(.failure(code: code), for: arguments, redeeming: redemption, at: time, in: call))
        }
        return problem
    }

    /// Counts a page or redirect for a visitor of a link, unless only its head was requested.
    func note(_ visit: PageVisit, in call: EndpointRequest) {
        guard call.head.method != .head else { return }
        metrics?.visited(visit.outcome, route: visit.plan?.topRoute ?? "")
        guard let counts else { return }
        let (time, catalog) = (now(), visit.plan?.catalog ?? call.catalog)
        counts.visited(visit, in: catalog, at: time)
        linkCounts?.visited(visit, at: time)
        guard counts.isLogged, let request = visit.request else { return }
        counts.log(
            ResolutionEvent(
                request: request,
                outcome: visit.plan.map { .plan($0) } ?? .failure(code: ProblemCode.noMatchingRoute.rawValue),
                visit: visit.outcome,
                isContinuation: false,
                shortLink: visit.shortLink,
                catalog: catalog,
                time: time,
                requestID: call.head.id
            )
        )
    }

    /// Returns the event for the resolution log.
    private func event(
        _ outcome: ResolutionEvent.Outcome,
        for arguments: borrowing ResolveArguments,
        redeeming redemption: Redemption? = nil,
        at time: Timestamp,
        in call: EndpointRequest
    ) -> ResolutionEvent {
        ResolutionEvent(
            request: arguments.request,
            outcome: outcome,
            isContinuation: redemption != nil,
            shortLink: arguments.shortLink,
            catalog: call.catalog,
            time: time,
            requestID: call.head.id
        )
    }
}

extension EndpointRequest {
    /// Returns whether a resolution only tests a link, so that it is not counted: the line of a batch, a request for a
    /// level or an explanation, and `HEAD`.
    fileprivate func isTrial(_ arguments: borrowing ResolveArguments) -> Bool {
        arguments.explains || arguments.namesLevel || head.method == .head || head.takesLines
    }

    /// Returns the flags for the use of a link by an app, or `nil` for any other caller.
    ///
    /// The request may name the app in several places.
    fileprivate func appSigns(of arguments: borrowing ResolveArguments) -> LinkUse.Signs? {
        let namesApp = head.fields.namesApp || arguments.namesApp
        if case .endUser = caller { return namesApp ? [.ofUser, .ofApp] : .ofUser }
        return namesApp ? .ofApp : nil
    }
}

extension LinkUse {
    fileprivate init(_ signs: Signs, of arguments: borrowing ResolveArguments, redeeming redemption: Redemption? = nil)
    {
        let hasArrived = arguments.arrival != nil || redemption?.way.hasArrived == true
        self.init(hasArrived ? signs.union(.arrived) : signs, of: arguments.shortLink)
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
    var shortLink: ShortLinkMark? {
        code.map { ShortLinkMark(code: $0, label: label, isAboutUser: isAboutUser) }
    }
}
