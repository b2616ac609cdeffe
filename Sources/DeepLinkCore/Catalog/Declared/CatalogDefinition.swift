/// A catalog as its file declares it, before any name is looked up.
///
/// Whoever reads a format (the YAML loader, a test) fills one of these; ``RouteCatalog/init(_:)`` checks it and
/// makes it fit for matching.
public struct CatalogDefinition: Sendable {
    /// The identity of the file's content.
    public var version: String

    /// Whose links are ours, in order of preference for printing.
    public var origins: [Located<Origin>]

    /// Whether a plus in a query stands for a space, as in HTML forms.
    public var plusIsSpace: Bool

    /// The link paths that let a user obtain a level.
    public var gates: [GateDefinition]

    /// The apps that open the links.
    public var apps: Apps

    /// The web site that the links are part of.
    public var site: Site

    /// The routes at which a link may begin.
    public var entry: [EdgeDefinition]

    /// Every route, in the order of the file.
    public var routes: [RouteDefinition]

    /// Creates a definition from its parts.
    public init(
        version: String,
        origins: [Located<Origin>],
        plusIsSpace: Bool = false,
        gates: [GateDefinition],
        apps: Apps = .none,
        site: Site = .unnamed,
        entry: [EdgeDefinition],
        routes: [RouteDefinition]
    ) {
        self.version = version
        self.origins = origins
        self.plusIsSpace = plusIsSpace
        self.gates = gates
        self.apps = apps
        self.site = site
        self.entry = entry
        self.routes = routes
    }
}
