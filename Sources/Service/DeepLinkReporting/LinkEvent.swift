package import DeepLinkCore
package import DeepLinkFormats

/// One use of a link: a resolution, the redemption of a continuation, or a page for a visitor.
///
/// Every observer gets the same event. It contains no user, no token, and nothing that identifies a visitor.
package struct LinkEvent: Sendable {
    /// The outcome of a use.
    package enum Outcome: Sendable {
        /// The link resolves for the user.
        case resolved(Resolved)

        /// The user lacks a level or a grant.
        case gated(Gated)

        /// The link failed, with the segments from the first unmatched one on, or `nil` for the whole link.
        case failed(ProblemCode, unmatched: [String]?)
    }

    /// A resolved link.
    ///
    /// It is a class, so that a cached answer is told again without a copy of its plan.
    package final class Resolved: Sendable {
        /// The plan of the link.
        package let plan: RoutePlan

        /// The topmost route, as an index into the catalog's routes, or `nil` for an empty stack.
        package let route: Int?

        /// Creates the outcome with a plan.
        package init(_ plan: RoutePlan) {
            self.plan = plan
            route = plan.topRouteNumber
        }
    }

    /// A gated link.
    ///
    /// It is a class, so that a cached answer is told again without a copy of its denial.
    package final class Gated: Sendable {
        /// The denial of the link.
        package let denial: Denial

        /// Creates the outcome with a denial.
        package init(_ denial: Denial) {
            self.denial = denial
        }
    }

    /// The flags of a use.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8

        /// Creates a set of flags.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Creates an empty set, for less than an empty literal costs in another target.
        package init() { rawValue = 0 }

        /// The request was authenticated by an end user's own token.
        package static let ofUser = Traits(rawValue: 1)

        /// The caller sent the version of an app.
        package static let ofApp = Traits(rawValue: 2)

        /// A continuation was redeemed, so that its user was at a gate before.
        package static let redeemed = Traits(rawValue: 4)

        /// The link is a deferred deep link.
        package static let arrived = Traits(rawValue: 8)

        /// The request only tests a link, or repeats a use, so that reports and stored counts omit it.
        package static let uncounted = Traits(rawValue: 16)
    }

    /// The outcome, with the plan, denial or problem code.
    package let outcome: Outcome

    /// The request with the link, or `nil` if a visitor's link can't be parsed.
    package let request: ResolutionRequest?

    /// The kind of page or redirect that a visitor got, or `nil` for a resolution.
    package let page: PageVisit.Outcome?

    /// The flags.
    package let traits: Traits

    /// The path by which this request's link reached the app as a deferred deep link, or `nil` for any other link.
    package let arrival: Arrival?

    /// The short link in the request, or of the redeemed continuation, or `nil` for any other link.
    package let shortLink: ShortLinkCountKey?

    /// The catalog of the use.
    package let catalog: RouteCatalog

    /// The time of the use.
    package let time: Timestamp

    /// The id of the HTTP request, or an empty text without one.
    package let requestID: String

    /// Creates the event of a resolution or a redemption.
    package init(
        _ outcome: Outcome,
        of request: ResolutionRequest,
        traits: Traits = [],
        arrival: Arrival? = nil,
        shortLink: ShortLinkCountKey? = nil,
        catalog: RouteCatalog,
        at time: Timestamp,
        requestID: String = ""
    ) {
        self.outcome = outcome
        self.request = request
        page = nil
        self.traits = traits
        self.arrival = arrival
        self.shortLink = shortLink
        self.catalog = catalog
        self.time = time
        self.requestID = requestID
    }

    /// Creates the event of a page or redirect for a visitor.
    package init(
        _ visit: PageVisit,
        shortLink: ShortLinkCountKey? = nil,
        catalog: RouteCatalog,
        at time: Timestamp,
        requestID: String = ""
    ) {
        outcome = visit.resolved.map { .resolved($0) } ?? .failed(.noMatchingRoute, unmatched: visit.unmatched)
        request = visit.request
        page = visit.outcome
        traits = []
        arrival = nil
        self.shortLink = shortLink
        self.catalog = visit.resolved?.plan.catalog ?? catalog
        self.time = time
        self.requestID = requestID
    }
}

extension LinkEvent {
    /// Whether an app used the link.
    ///
    /// A service that resolves links itself says nothing about a person.
    package var isOfApp: Bool { traits.contains(.ofUser) || traits.contains(.ofApp) }

    /// Whether reports and stored counts include the use.
    package var isCounted: Bool { !traits.contains(.uncounted) }
}

/// An observer of every use of a link.
///
/// An observer must not wait, since a response is written after it returns. Observers are classes, so that each event
/// refers to them without a copy.
package protocol LinkEventObserver: AnyObject, Sendable {
    /// Observes a use of a link.
    func observe(_ event: LinkEvent)
}
