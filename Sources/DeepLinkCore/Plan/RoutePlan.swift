/// Answers a link: the stack of destinations from root to top, and what it took to get there.
public struct RoutePlan: Equatable, Sendable {
    /// The link as received.
    public let link: DeepLink

    /// The one spelling of the link that all equivalent links share; `nil` where the stack has no link.
    public let canonicalLink: String?

    /// The highest level that a destination of the stack requires.
    public let requiredLevel: AuthorizationLevel

    /// The level that the user has.
    public let userLevel: AuthorizationLevel

    /// The destinations, root first.
    public let stack: [Destination]

    /// The query pairs that no destination used, in the order of the link.
    public let unusedQuery: [QueryItem]

    /// The decoded segments of the path that no route matched; only where the request accepts a part.
    public let unresolved: [String]

    /// How to get from the client's current stack to this one; `nil` where the request names none.
    public let transition: Transition?
}
