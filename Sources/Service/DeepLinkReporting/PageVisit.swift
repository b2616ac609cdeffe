package import DeepLinkCore

/// A page or redirect for a visitor of a link, for counts and logs.
///
/// It contains no data that identifies the visitor.
package struct PageVisit: Sendable {
    /// The kind of page or redirect.
    package enum Outcome: String, CaseIterable, Sendable {
        /// The page of the link, in a browser.
        case page

        /// The page of the link, for a preview or an unknown bot.
        case preview

        /// A redirect to a fallback.
        case redirected

        /// The page of a link that does not resolve.
        case unknown
    }

    /// The kind of page or redirect that the visitor got.
    package let outcome: Outcome

    /// The request, or `nil` if the link can't be parsed.
    package let request: ResolutionRequest?

    /// The plan of the link, at the highest level, or `nil` if it does not resolve.
    package let resolved: LinkEvent.Resolved?

    /// The segments of an unresolved link from the first unmatched one on, or `nil` for the whole link.
    package let unmatched: [String]?

    /// Creates a visit from its parts.
    package init(
        _ outcome: Outcome,
        of request: ResolutionRequest?,
        plan: RoutePlan?,
        unmatched: [String]? = nil
    ) {
        self.outcome = outcome
        self.request = request
        resolved = plan.map { LinkEvent.Resolved($0) }
        self.unmatched = unmatched
    }
}

/// The key by which uses of a short link are counted, without its target or the user that it is about.
package struct ShortLinkCountKey: Hashable, Sendable {
    /// The code as stored.
    ///
    /// It may differ from the code that was sent.
    package let code: String

    /// The label of the link, or `nil` for none.
    package let label: String?

    /// Whether the link is about a user, so that its openings are counted by its label, and never by its code.
    package let isAboutUser: Bool

    /// Creates the key of a short link.
    package init(code: String, label: String?, isAboutUser: Bool) {
        self.code = code
        self.label = label
        self.isAboutUser = isAboutUser
    }
}
