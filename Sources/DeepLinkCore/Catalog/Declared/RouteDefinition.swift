/// One route as the catalog's file declares it.
public struct RouteDefinition: Sendable {
    /// The route's name, unique in its catalog.
    public let name: Located<String>

    /// The way in which links address the route.
    public let address: Located<RouteAddress>

    /// Other paths that lead to the route, with the parameters of the first; they resolve and are never printed.
    public let aliases: [Located<PathPattern>]

    /// The parameters, in the order declared.
    public let parameters: [Located<Parameter>]

    /// What going there takes of a user.
    public let requirements: Requirements

    /// The routes that this one can present.
    public let opens: [EdgeDefinition]

    /// What the route is, for readers of the catalog.
    public let description: String?

    /// The text, read from a query key, of the link that answers in the route's place; `nil` where it is shown.
    public let link: Located<Parameter>?

    /// What the route is to browsers and previews.
    public let page: RoutePage?

    /// Whether links to the route, and to what it opens, must be signed.
    public let isSigned: Bool

    /// Creates a declaration from its parts.
    public init(
        name: Located<String>,
        address: Located<RouteAddress>,
        aliases: [Located<PathPattern>] = [],
        parameters: [Located<Parameter>] = [],
        requirements: Requirements = Requirements(),
        opens: [EdgeDefinition] = [],
        description: String? = nil,
        link: Located<Parameter>? = nil,
        page: RoutePage? = nil,
        isSigned: Bool = false
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
    }
}
