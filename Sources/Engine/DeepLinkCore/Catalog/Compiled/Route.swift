/// A named, linkable screen of the app.
///
/// These properties hold wherever the route is opened, unless the ``Edge`` overrides them.
package struct Route: Sendable {
    /// The name, unique in its catalog.
    package let name: String

    /// The description for readers of the catalog.
    package let description: String?

    /// The requirements of the route.
    package let requirements: Requirements

    /// The route's address in links.
    package let address: RouteAddress

    /// The alternative paths to the route.
    package let aliases: [PathPattern]

    /// The parameters, in the order in which plans list them.
    package let parameters: [Parameter]

    /// The last parameter, which holds the link to resolve instead, or `nil` if the route is shown.
    package let link: Parameter?

    /// The route's page for browsers and previews.
    package let page: RoutePage?

    /// Whether links to the route, and to the routes that it opens, must be signed.
    package let isSigned: Bool

    /// The terms of short links to the route, or `nil` if it has none.
    package let shortLink: ShortLinkTerms?

    /// The outgoing edges of the route, as indexes into ``RouteCatalog/edges``.
    package let opens: Range<Int>

    /// The location of the route's declaration.
    package let location: SourceLocation

    /// The locations of the declaration's keys.
    package let keys: KeyLocations

    /// The level that a user needs.
    package var authorizationLevel: AuthorizationLevel { requirements.authorizationLevel }
}
