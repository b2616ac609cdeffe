import DeepLinkCore

/// Draws a catalog as a tree for a terminal.
struct CatalogTree {
    private let catalog: RouteCatalog
    private var table = TextTable()
    private var isDrawn: [Bool]

    /// Draws the routes from `entry` down; each is spread out once, where it is nearest to `entry`.
    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        isDrawn = [Bool](repeating: false, count: catalog.routes.count)
        append(catalog.entry, indent: "")
    }

    /// The tree, line by line, below the origins.
    var lines: [String] {
        let origins = catalog.origins.map { origin in
            origin.hosts.isEmpty
                ? "\(origin.scheme):" : origin.hosts.map { "\(origin.scheme)://\($0)" }.joined(separator: " ")
        }
        return ["catalog \(catalog.version)  \(origins.joined(separator: " "))"] + table.lines
    }

    private mutating func append(_ edges: Range<Int>, indent: String) {
        // A route that several edges here open is spread out under the first; its siblings come before its children
        // get a turn, so that no route is spread out deep below when it also stands near the top.
        let opened = edges.map { catalog.edges[$0] }
        let spread = opened.map { edge in
            let isFirst = !isDrawn[edge.child]
            isDrawn[edge.child] = true
            return isFirst
        }
        for (index, edge) in opened.enumerated() {
            let isLast = index == opened.count - 1
            let route = catalog.routes[edge.child]
            let repeats = !spread[index] && !route.opens.isEmpty
            table.append([
                indent + (isLast ? "└─ " : "├─ ") + route.name + (repeats ? " ↺" : ""),
                edge.presentation.name + (edge.isInitial ? ", initial" : ""),
                address(edge),
                edge.authorizationLevel == .none ? "" : edge.authorizationLevel.name,
                parameters(edge),
            ])
            if spread[index] { append(route.opens, indent: indent + (isLast ? "   " : "│  ")) }
        }
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
