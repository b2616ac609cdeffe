/// The way through a catalog that the path of a link takes.
public struct RouteMatch: Sendable {
    private let steps: ShortList<MatchStep>

    init(_ steps: ShortList<MatchStep>) {
        self.steps = steps
    }

    /// Lists the edges that are taken, root first: indexes into ``RouteCatalog/edges`` of the catalog that was asked.
    ///
    /// Initial children that the path does not name, and what the query opens, are not among them.
    public func edges(in catalog: RouteCatalog) -> [Int] {
        (0..<steps.count).flatMap { catalog.automaton.chains[steps[$0].chain].edges }
    }
}
