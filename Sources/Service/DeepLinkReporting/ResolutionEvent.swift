package import DeepLinkCore

/// One resolution of a link, as counts and logs see it: no user, no token.
package struct ResolutionEvent: Sendable {
    /// The outcome of the resolution.
    package enum Outcome: Sendable {
        /// The user may go there.
        case plan(RoutePlan)

        /// The user's level is too low.
        case denial(Denial)

        /// The link leads nowhere; the code of the problem.
        case failure(code: String)
    }

    /// The request.
    package let request: ResolutionRequest

    /// The outcome.
    package let outcome: Outcome

    /// The answer to a visitor of the link; `nil` for a resolution.
    package let visit: PageVisit.Outcome?

    /// Whether a continuation was redeemed, so that its user passes a gate.
    package let isContinuation: Bool

    /// The short link that the request named, or that the redeemed continuation was issued for; `nil` for any other link.
    package let shortLink: ShortLinkMark?

    /// The catalog that was asked.
    package let catalog: RouteCatalog

    /// The moment.
    package let time: Timestamp

    /// The id of the request.
    package let requestID: String

    /// Puts an event together.
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
    /// Takes an event, or drops it; never waits.
    func note(_ event: ResolutionEvent)

    /// The number of events that were dropped.
    var droppedCount: Int { get }
}
