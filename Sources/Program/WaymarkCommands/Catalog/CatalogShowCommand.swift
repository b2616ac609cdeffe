import ArgumentParser
import DeepLinkFormats

/// The command that shows a catalog as a tree of links.
struct CatalogShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the routes with their presentations, paths and required levels.",
        discussion: """
            A line is a route: its presentation, the path segments or query key that open it, the level it \
            requires, if any, and its parameters. `↺` marks a route that is expanded elsewhere in the tree: \
            where the fewest edges lead to it. More than three such routes that are presented alike share a line.

            waymark catalog show --format dot | dot -Tsvg > catalog.svg
            """
    )

    @Argument(help: "The catalog; without one, that of the settings.")
    var file: String?

    @Option(help: "The output format: text, json or dot (for Graphviz).")
    var format: CatalogFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        var overrides: [Setting: String] = [:]
        overrides[.catalog] = file
        let catalog = try Workspace(settings: try shared.settings(overriding: overrides)).catalog()
        switch format {
        case .json: JSONOutput.print(CatalogBody(catalog))
        case .dot: for line in CatalogDrawing(catalog).lines { print(line) }
        case .text: for line in CatalogTree(catalog).lines { print(line) }
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
