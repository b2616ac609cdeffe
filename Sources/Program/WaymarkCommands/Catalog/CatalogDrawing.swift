import DeepLinkCore

/// A catalog as a graph in Graphviz's DOT language (graphviz.org/doc/info/lang.html).
struct CatalogDrawing {
    private let catalog: RouteCatalog

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// The graph, line by line: a box for each route, an arrow for each edge.
    var lines: [String] {
        var lines = ["digraph catalog {", "  rankdir=LR;", "  node [shape=box, fontname=\"Helvetica\"];"]
        lines.append("  edge [fontname=\"Helvetica\", fontsize=10];")
        lines.append("  \"\" [label=\"entry\", shape=circle];")
        for route in catalog.routes {
            let access = catalog.texts(of: route.requirements.access).map { "\\n" + $0 }.joined()
            lines.append("  \(quoted(route.name)) [label=\(quoted(route.name, suffix: access))];")
        }
        for edge in catalog.edges {
            let isEntry = edge.parent == catalog.routes.count
            let parent = isEntry ? "\"\"" : quoted(catalog.routes[edge.parent].name)
            let style = [edge.isInitial ? "style=bold" : nil, edge.isLinkable ? nil : "style=dotted"]
                .compactMap { $0.map { ", " + $0 } }.joined()
            let words = "\(edge.presentation.name)  \(EdgeText(edge).address)"
            lines.append("  \(parent) -> \(quoted(catalog.routes[edge.child].name)) [label=\(quoted(words))\(style)];")
        }
        return lines + ["}"]
    }

    /// Quotes a text; `suffix` is in DOT already.
    private func quoted(_ text: String, suffix: String = "") -> String {
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "\"" + escaped.joined() + suffix + "\""
    }
}
