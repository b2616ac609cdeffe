import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import HTTPServer
import HTTPTypes

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
