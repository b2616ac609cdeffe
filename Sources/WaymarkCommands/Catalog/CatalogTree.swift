import DeepLinkCore

/// A catalog as a tree for a terminal.
struct CatalogTree {
    private let catalog: RouteCatalog
    private var table = TextTable()
    private var isDrawn: [Bool]

    /// Draws the routes from `entry` down; each is expanded once, at its first occurrence.
    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
        isDrawn = [Bool](repeating: false, count: catalog.routes.count)
        append(catalog.entry, indent: "")
    }

    /// The tree, line by line, between the origins and the gates.
    var lines: [String] {
        let origins = (catalog.origins + catalog.shortLinkOrigins)
            .map { origin in
                let prefix = origin.pathPrefix.map { "/" + $0 }.joined()
                let fragment = origin.routesFragment ? "#" : ""
                return switch origin.authority {
                case .hosts where origin.hasShortLinks:
                    origin.hosts.map { "\(origin.scheme)://\($0)\(prefix)/<code>" }.joined(separator: " ")
                case .hosts where !origin.hosts.isEmpty:
                    origin.hosts.map { "\(origin.scheme)://\($0)\(prefix)\(fragment)" }.joined(separator: " ")
                case .segment where !origin.hosts.isEmpty:
                    // The host alone is a segment: `https://{live.artsy.net}`.
                    origin.hosts.map { "\(origin.scheme)://{\($0)}\(prefix)\(fragment)" }.joined(separator: " ")
                case .hosts, .ignore, .rootless: "\(origin.scheme):\(prefix)\(fragment)"
                case .segment: "\(origin.scheme):/\(prefix)/\(fragment)"
                }
            }
        let gates = catalog.gatesInOrder.map { gate in
            "gate \(catalog.text(of: gate.gives))  \(gate.link)" + (gate.over.map { "  over \($0.name)" } ?? "")
        }
        return ["catalog \(catalog.version)  \(origins.joined(separator: " "))"] + table.lines + gates
    }

    /// A row to be drawn, with the indentation of its children.
    private struct Row {
        let edge: Edge
        let indent: String
        let isLast: Bool
    }

    /// Draws depth first with a list of remaining rows: a chain of routes may have any length.
    private mutating func append(_ edges: Range<Int>, indent: String) {
        var todo = rows(edges, indent: indent)
        while let row = todo.popLast() {
            let edge = row.edge
            let words = EdgeText(edge)
            let route = catalog.routes[edge.child]
            let isSpread = !isDrawn[edge.child]
            isDrawn[edge.child] = true
            table.append([
                row.indent + (row.isLast ? "└─ " : "├─ ") + route.name + (isSpread || route.opens.isEmpty ? "" : " ↺"),
                words.presentation,
                words.address,
                catalog.texts(of: edge.requirements.access).joined(separator: " "),
                words.parameters,
            ])
            guard isSpread else { continue }
            todo += rows(route.opens, indent: row.indent + (row.isLast ? "   " : "│  "))
        }
    }

    /// Returns the rows of some edges, last first.
    private func rows(_ edges: Range<Int>, indent: String) -> [Row] {
        edges.reversed().map { Row(edge: catalog.edges[$0], indent: indent, isLast: $0 == edges.upperBound - 1) }
    }
}
