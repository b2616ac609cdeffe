package import DeepLinkCore

/// One answer to a visitor of a link, as counts and logs see it: nothing identifies the visitor.
package struct PageVisit: Sendable {
    /// The answer that the visitor got.
    package enum Outcome: String, CaseIterable, Sendable {
        /// The page of the link, in a browser.
        case page

        /// The page of the link, for a preview or an unknown bot.
        case preview

        /// A redirect to a fallback.
        case redirected

        /// The page of a link that leads nowhere.
        case unknown
    }

    /// The answer.
    package let outcome: Outcome

    /// The request; `nil` if the link can't be read.
    package let request: ResolutionRequest?

    /// The plan of the link, at the highest level; `nil` if it leads nowhere.
    package let plan: RoutePlan?

    /// The short link that the visitor followed; `nil` for any other link.
    package private(set) var shortLink: ShortLinkMark?

    /// The segments of a link that leads nowhere, from the one on at which its match ends; `nil` for the whole link.
    package let unmatched: [String]?

    /// Creates a visit from its parts.
    package init(
        _ outcome: Outcome,
        of request: ResolutionRequest?,
        plan: RoutePlan?,
        unmatched: [String]? = nil,
        shortLink: ShortLinkMark? = nil
    ) {
        self.outcome = outcome
        self.request = request
        self.plan = plan
        self.unmatched = unmatched
        self.shortLink = shortLink
    }

    /// Returns the same visit over a short link.
    package func following(_ shortLink: ShortLinkMark?) -> PageVisit {
        var visit = self
        visit.shortLink = shortLink
        return visit
    }
}

/// The short link that a request named, as counts see it: neither its target nor the user that it is about.
package struct ShortLinkMark: Hashable, Sendable {
    /// The code as it is stored, which may differ from the one that was sent.
    package let code: String

    /// The label of the link; `nil` for none.
    package let label: String?

    /// Whether the link is about a user, so that its openings are counted under its label, and never under its code.
    package let isAboutUser: Bool

    /// Creates the mark of a short link.
    package init(code: String, label: String?, isAboutUser: Bool) {
        self.code = code
        self.label = label
        self.isAboutUser = isAboutUser
    }
}
