/// One edge as the catalog's file declares it: the route that is opened, and how.
///
/// What is given here replaces what the route says; of the two requirements both count. Several edges from one
/// parent to one route are a list of alternatives, in the order declared.
public struct EdgeDefinition: Sendable {
    /// The name of the route that is opened.
    public let route: Located<String>

    /// The way in which it appears.
    public let presentation: Presentation

    /// Whether the parent shows this child when the link does not say otherwise.
    public let isInitial: Bool

    /// Whether links can take the edge; else only the app does.
    public let isLinkable: Bool

    /// The way in which links address the child here, unless as the route says.
    public let address: Located<RouteAddress>?

    /// The other paths here, unless those of the route.
    public let aliases: [Located<PathPattern>]?

    /// The parameters here, unless those of the route.
    public let parameters: [Located<Parameter>]?

    /// What coming this way takes of a user.
    public let requirements: Requirements

    /// Creates a declaration from its parts.
    public init(
        route: Located<String>,
        presentation: Presentation,
        isInitial: Bool = false,
        isLinkable: Bool = true,
        address: Located<RouteAddress>? = nil,
        aliases: [Located<PathPattern>]? = nil,
        parameters: [Located<Parameter>]? = nil,
        requirements: Requirements = Requirements()
    ) {
        self.route = route
        self.presentation = presentation
        self.isInitial = isInitial
        self.isLinkable = isLinkable
        self.address = address
        self.aliases = aliases
        self.parameters = parameters
        self.requirements = requirements
    }
}
