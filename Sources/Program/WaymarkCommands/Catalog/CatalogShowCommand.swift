import ArgumentParser
import DeepLinkCore
import DeepLinkFormats

/// The command that shows a catalog as a tree of links.
struct CatalogShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the routes with their presentations, paths and required levels.",
        discussion: """
            A line is a route: its presentation, the path segments or query key that open it, the level it requires, \
            if any, and its parameters. `↺` marks a route that is expanded elsewhere in the tree, where it is nearest \
            to `entry`. More than three such routes with the same presentation share a line. `+ common` is a group of \
            edges, which has its own tree below.

            waymark catalog show --format dot | dot -Tsvg > catalog.svg
            """
    )

    @Argument(help: "The catalog. Default: the catalog of the settings.")
    var file: String?

    @Option(help: "The output format: text, json or dot (for Graphviz).")
    var format: CatalogFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let catalog = try shared.workspace(overriding: [.catalog: file]).catalog()
        switch format {
        case .json: JSONOutput.print(CatalogBody(catalog))
        case .dot: print(lines: DOTGraph(catalog: catalog).lines)
        case .text: print(lines: CatalogTree(catalog).lines)
        }
    }
}

/// The output format of a catalog.
enum CatalogFormat: String, CaseIterable, ExpressibleByArgument {
    /// A tree for people.
    case text

    /// The body of `GET /v1/catalog`.
    case json

    /// A graph for Graphviz.
    case dot
}

/// A catalog as a graph in Graphviz's DOT language (graphviz.org/doc/info/lang.html).
struct DOTGraph {
    let catalog: RouteCatalog

    /// The lines of the graph, with a box for each route and each group, and an arrow for each declared edge.
    var lines: [String] {
        var lines = ["digraph catalog {", "  rankdir=LR;", "  node [shape=box, fontname=\"Helvetica\"];"]
        lines.append("  edge [fontname=\"Helvetica\", fontsize=10];")
        lines.append("  \"\" [label=\"entry\", shape=circle];")
        for route in catalog.routes {
            let app = route.app.map { ["app " + catalog.apps.name(of: $0)] } ?? []
            let rows = (catalog.texts(of: route.requirements.access) + app).map { "\\n" + $0 }.joined()
            lines.append("  \(quoted(route.name)) [label=\(quoted(route.name, suffix: rows))];")
        }
        let groups = catalog.groups
        for group in groups {
            lines.append("  \(quoted(Self.node(group.name))) [label=\(quoted(group.name)), shape=folder];")
        }
        let names = Set(groups.map(\.name.bytewise))
        for route in catalog.routes {
            for group in route.groups where names.contains(group.bytewise) {
                lines.append("  \(quoted(route.name)) -> \(quoted(Self.node(group)));")
            }
        }
        for edge in catalog.declaredEdges {
            let isEntry = edge.parent == catalog.routes.count
            let opener = isEntry ? "" : edge.group.map(Self.node) ?? catalog.routes[edge.parent].name
            let parent = quoted(opener)
            let style = [edge.isInitial ? "style=bold" : nil, edge.isLinkable ? nil : "style=dotted"]
                .compactMap { $0.map { ", " + $0 } }.joined()
            let words = "\(edge.presentation.name)  \(EdgeText(edge: edge, apps: catalog.apps).address)"
            lines.append("  \(parent) -> \(quoted(catalog.routes[edge.child].name)) [label=\(quoted(words))\(style)];")
        }
        return lines + ["}"]
    }

    /// Returns the name of a group's node, which differs from the names of routes.
    private static func node(_ group: String) -> String { "group " + group }

    /// Quotes a text, and appends a suffix that is already in DOT.
    private func quoted(_ text: String, suffix: String = "") -> String {
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "\"" + escaped.joined() + suffix + "\""
    }
}
