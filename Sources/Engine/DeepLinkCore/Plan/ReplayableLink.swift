/// A link that leads to the same destinations as another, with example values in place of its own.
package enum ReplayableLink {
    /// Returns the link of a plan with every value replaced by the plainest that fits; `nil` if no such link leads to
    /// the same destinations.
    ///
    /// A list has the fewest items allowed, an object its plainest form. The scheme is that of the plan's link, the
    /// host the first of its origin.
    package static func of(_ plan: RoutePlan) -> String? {
        let edges = plan.edgeNumbers.map { plan.catalog.edges[$0] }
        let stack = zip(plan.stack, edges)
            .map { destination, edge in
                Destination(
                    route: destination.route,
                    presentation: destination.presentation,
                    parameters: destination.parameters.compactMap { bound in
                        edge.parameters.first { $0.name.bytewise == bound.name.bytewise }
                            .flatMap { $0.fixedValue ?? ValueExamples.values(of: $0.type).first }
                            .map { BoundParameter(name: bound.name, value: $0) }
                    }
                )
            }
        return try? link(to: stack, scheme: plan.link.scheme, catalog: plan.catalog)
    }
}
