/// One route as the catalog's file declares it.
package struct RouteDefinition: Sendable {
    /// The route's name, unique in its catalog.
    package let name: Located<String>

    /// The route's address in links.
    package let address: Located<RouteAddress>

    /// Other paths that lead to the route, with the parameters of the first; they resolve and are never printed.
    package let aliases: [Located<PathPattern>]

    /// The parameters, in the order declared.
    package let parameters: [Located<Parameter>]

    /// The requirements of the route.
    package let requirements: Requirements

    /// The routes that this one can present.
    package let opens: [EdgeDefinition]

    /// The description for readers of the catalog.
    package let description: String?

    /// The parameter, read from a query key, that holds the link to resolve instead; `nil` if the route is shown.
    package let link: Located<Parameter>?

    /// The route's page for browsers and previews.
    package let page: RoutePage?

    /// Whether links to the route, and to the routes that it opens, must be signed.
    package let isSigned: Bool

    /// The terms of short links to the route; `nil` for none.
    package let shortLink: ShortLinkTerms?

    /// The locations of the declaration's keys.
    package let keys: KeyLocations

    /// Creates a declaration from its parts.
    package init(
        name: Located<String>,
        address: Located<RouteAddress>,
        aliases: [Located<PathPattern>] = [],
        parameters: [Located<Parameter>] = [],
        requirements: Requirements = Requirements(),
        opens: [EdgeDefinition] = [],
        description: String? = nil,
        link: Located<Parameter>? = nil,
        page: RoutePage? = nil,
        isSigned: Bool = false,
        shortLink: ShortLinkTerms? = nil,
        keys: KeyLocations = .none
    ) {
        self.name = name
        self.address = address
        self.aliases = aliases
        self.parameters = parameters
        self.requirements = requirements
        self.opens = opens
        self.description = description
        self.link = link
        self.page = page
        self.isSigned = isSigned
        self.shortLink = shortLink
        self.keys = keys
    }
}
