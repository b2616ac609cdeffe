import DeepLinkCore

/// Draws a catalog as a tree for a terminal.
struct CatalogTree {
    private let catalog: RouteCatalog
    private var table = TextTable()
    private var isDrawn: [Bool]

    /// Draws the routes from `entry` down; each is spread out once, where it is met first.
    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        isDrawn = [Bool](repeating: false, count: catalog.routes.count)
        append(catalog.entry, indent: "")
    }

    /// The tree, line by line, between the origins and the gates.
    var lines: [String] {
        let origins = catalog.origins.map { origin in
            origin.hosts.isEmpty
                ? "\(origin.scheme):" : origin.hosts.map { "\(origin.scheme)://\($0)" }.joined(separator: " ")
        }
        let gates = catalog.gateLinks.map { "gate \($0.level.name)  \($0.link)" }
        return ["catalog \(catalog.version)  \(origins.joined(separator: " "))"] + table.lines + gates
    }

    /// A row that is still to be drawn, with the indentation of its children.
    private struct Row {
        let edge: Edge
        let indent: String
        let isLast: Bool
    }

    /// Draws depth first, from a list of what is left: a chain of routes may be as long as it likes.
    private mutating func append(_ edges: Range<Int>, indent: String) {
        var todo = rows(edges, indent: indent)
        while let row = todo.popLast() {
            let edge = row.edge
            let route = catalog.routes[edge.child]
            let isSpread = !isDrawn[edge.child]
            isDrawn[edge.child] = true
            table.append([
                row.indent + (row.isLast ? "└─ " : "├─ ") + route.name + (isSpread || route.opens.isEmpty ? "" : " ↺"),
                edge.presentation.name + (edge.isInitial ? ", initial" : ""),
                address(edge),
                edge.authorizationLevel == .none ? "" : edge.authorizationLevel.name,
                parameters(edge),
            ])
            guard isSpread else { continue }
            todo += rows(route.opens, indent: row.indent + (row.isLast ? "   " : "│  "))
        }
    }

    /// The rows of some edges, last first.
    private func rows(_ edges: Range<Int>, indent: String) -> [Row] {
        edges.reversed().map { Row(edge: catalog.edges[$0], indent: indent, isLast: $0 == edges.upperBound - 1) }
    }

    private func address(_ edge: Edge) -> String {
        switch edge.address {
        case .path(let pattern): pattern.isContainer ? "(container)" : "/" + pattern.text
        case .query(let key): "?" + key
        }
    }

    private func parameters(_ edge: Edge) -> String {
        edge.parameters.map { "\($0.name): \($0.type.name)" }.joined(separator: ", ")
    }
}
