package import DeepLinkCore

/// A resolution of a link, for the log.
///
/// It contains no user and no token.
package struct ResolutionEvent: Sendable {
    /// The outcome of the resolution.
    package enum Outcome: Sendable {
        /// The link resolves for the user.
        case plan(RoutePlan)

        /// The link is gated.
        case denial(Denial)

        /// The link failed, with this problem code.
        case failure(code: String)
    }

    /// The request with the resolved link.
    package let request: ResolutionRequest

    /// The outcome, with the plan, denial or problem code.
    package let outcome: Outcome

    /// The page or redirect for a visitor of the link, or `nil` for a resolution.
    package let visit: PageVisit.Outcome?

    /// Whether a continuation was redeemed, so that its user passed a gate.
    package let isContinuation: Bool

    /// The short link in the request, or of the redeemed continuation, or `nil` for any other link.
    package let shortLink: ShortLinkMark?

    /// The catalog of the resolution.
    package let catalog: RouteCatalog

    /// The time of the resolution.
    package let time: Timestamp

    /// The id of the HTTP request, or an empty text without one.
    package let requestID: String

    /// Creates an event from its parts.
    package init(
        request: ResolutionRequest,
        outcome: Outcome,
        visit: PageVisit.Outcome? = nil,
        isContinuation: Bool,
        shortLink: ShortLinkMark? = nil,
        catalog: RouteCatalog,
        time: Timestamp,
        requestID: String
    ) {
        self.request = request
        self.outcome = outcome
        self.visit = visit
        self.isContinuation = isContinuation
        self.shortLink = shortLink
        self.catalog = catalog
        self.time = time
        self.requestID = requestID
    }
}

/// A writer of the resolution log.
package protocol ResolutionLog: Sendable {
    /// Logs an event, or drops it instead of waiting.
    func note(_ event: ResolutionEvent)

    /// The number of dropped events.
    var droppedCount: Int { get }
}
