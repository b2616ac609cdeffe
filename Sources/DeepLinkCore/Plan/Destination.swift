/// One element of a navigation stack: which route, how it appears, and with which values.
public struct Destination: Hashable, Sendable {
    /// The route's name.
    public let route: String

    /// The way in which the destination appears over the one below it.
    public let presentation: Presentation

    /// The values, in the order that the catalog declares the parameters; absent optional ones are left out.
    public let parameters: [BoundParameter]

    /// Creates a destination from its parts.
    public init(route: String, presentation: Presentation, parameters: [BoundParameter] = []) {
        self.route = route
        self.presentation = presentation
        self.parameters = parameters
    }

    /// Compares the routes byte by byte, the presentations and the parameters.
    public static func == (left: Destination, right: Destination) -> Bool {
        left.route.bytewise == right.route.bytewise && left.presentation == right.presentation
            && left.parameters == right.parameters
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(route.bytewise)
        hasher.combine(presentation)
        hasher.combine(parameters)
    }
}

extension CatalogGraph {
    /// Turns edges and values into what clients see.
    func destinations(_ stack: some Sequence<StackElement>) -> [Destination] {
        stack.map { element in
            let edge = edges[element.edge]
            return Destination(
                route: routes[edge.child].name,
                presentation: edge.presentation,
                parameters: element.arguments
            )
        }
    }
}
