/// One edge as the catalog's file declares it: the opened route and its presentation.
///
/// Declarations of the edge override the route's. The requirements of both apply. Several edges from one parent to one
/// route are a list of alternatives, in the order declared.
package struct EdgeDefinition: Sendable {
    /// The name of the route that is opened.
    package let route: Located<String>

    /// The presentation of the route.
    package let presentation: Presentation

    /// Whether the parent shows this child by default.
    package let isInitial: Bool

    /// Whether links, and not only the app, can take the edge.
    package let isLinkable: Bool

    /// The child's address here, if it differs from the route's.
    package let address: Located<RouteAddress>?

    /// The other paths here, if they differ from the route's.
    package let aliases: [Located<PathPattern>]?

    /// The parameters here, if they differ from the route's.
    package let parameters: [Located<Parameter>]?

    /// The requirements of this edge.
    package let requirements: Requirements

    /// The locations of the declaration's keys.
    package let keys: KeyLocations

    /// Creates a declaration from its parts.
    package init(
        route: Located<String>,
        presentation: Presentation,
        isInitial: Bool = false,
        isLinkable: Bool = true,
        address: Located<RouteAddress>? = nil,
        aliases: [Located<PathPattern>]? = nil,
        parameters: [Located<Parameter>]? = nil,
        requirements: Requirements = Requirements(),
        keys: KeyLocations = .none
    ) {
        self.route = route
        self.presentation = presentation
        self.isInitial = isInitial
        self.isLinkable = isLinkable
        self.address = address
        self.aliases = aliases
        self.parameters = parameters
        self.requirements = requirements
        self.keys = keys
    }
}
