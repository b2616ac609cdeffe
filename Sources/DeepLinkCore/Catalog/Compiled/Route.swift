/// A named, linkable place of the app.
///
/// What is said here holds wherever the route is opened, unless the ``Edge`` says otherwise.
public struct Route: Sendable {
    /// The name, unique in its catalog.
    public let name: String

    /// What the route is, for readers of the catalog.
    public let description: String?

    /// What going there takes of a user.
    public let requirements: Requirements

    /// The way in which links address the route.
    public let address: RouteAddress

    /// Other paths that lead to the route.
    public let aliases: [PathPattern]

    /// The parameters, in the order that plans list them.
    public let parameters: [Parameter]

    /// The parameter, the last one, that holds the link which answers in the route's place; `nil` where it is shown.
    public let link: Parameter?

    /// What the route is to browsers and previews.
    public let page: RoutePage?

    /// Whether links to the route, and to what it opens, must be signed.
    public let isSigned: Bool

    /// The edges that lead away from the route: indexes into ``RouteCatalog/edges``.
    public let opens: Range<Int>

    /// The place where the catalog declares the route.
    public let location: SourceLocation

    /// The level that a user needs.
    public var authorizationLevel: AuthorizationLevel { requirements.authorizationLevel }
}
