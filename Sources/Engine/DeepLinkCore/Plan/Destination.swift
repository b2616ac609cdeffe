/// One element of a navigation stack: a route, its presentation and its values.
package struct Destination: Hashable, Sendable {
    /// The route's name.
    package let route: String

    /// The presentation of the destination over the one below it.
    package let presentation: Presentation

    /// The values, in the order that the catalog declares, without absent optional ones.
    package let parameters: [BoundParameter]

    /// Creates a destination from its parts.
    package init(route: String, presentation: Presentation, parameters: [BoundParameter] = []) {
        self.route = route
        self.presentation = presentation
        self.parameters = parameters
    }

    /// Compares the routes byte by byte, the presentations and the parameters.
    package static func == (left: Destination, right: Destination) -> Bool {
        left.route.bytewise == right.route.bytewise && left.presentation == right.presentation
            && left.parameters == right.parameters
    }

    /// Hashes the route byte by byte, the presentation and the parameters.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(route.bytewise)
        hasher.combine(presentation)
        hasher.combine(parameters)
    }
}

extension CatalogGraph {
    /// Converts edges and values into destinations for clients.
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
