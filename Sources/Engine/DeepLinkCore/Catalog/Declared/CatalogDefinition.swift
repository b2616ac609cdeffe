/// A catalog as its file declares it, before names are resolved.
///
/// The reader of a format (the YAML loader, a test) creates one; ``RouteCatalog/init(_:)`` checks it and prepares it
/// for matching.
package struct CatalogDefinition: Sendable {
    /// The identity of the file's content.
    package var version: String

    /// The origins of our links, in order of preference for printing.
    package var origins: [Located<Origin>]

    /// Whether a plus in a query stands for a space, as in HTML forms.
    package var plusIsSpace: Bool

    /// Whether the file says which of the two a plus stands for.
    package var saysPlus: Bool

    /// The levels of users.
    package var levels: LevelLadder

    /// The grants of users.
    package var grants: GrantList

    /// The link paths through which a user obtains levels and grants, in the order of the file.
    package var gates: [GateDefinition]

    /// The apps that open the links.
    package var apps: Apps

    /// The web site that the links belong to.
    package var site: Site

    /// The routes at which a link may begin.
    package var entry: [EdgeDefinition]

    /// Every route, in the order of the file.
    package var routes: [RouteDefinition]

    /// The locations of the file's keys, its gates and its origins.
    package var keys: KeyLocations

    /// Creates a definition from its parts.
    package init(
        version: String,
        origins: [Located<Origin>],
        plusIsSpace: Bool = false,
        saysPlus: Bool = true,
        levels: LevelLadder = .standard,
        grants: GrantList = .none,
        gates: [GateDefinition],
        apps: Apps = .none,
        site: Site = .unnamed,
        entry: [EdgeDefinition],
        routes: [RouteDefinition],
        keys: KeyLocations = .none
    ) {
        self.version = version
        self.origins = origins
        self.plusIsSpace = plusIsSpace
        self.saysPlus = saysPlus
        self.levels = levels
        self.grants = grants
        self.gates = gates
        self.apps = apps
        self.site = site
        self.entry = entry
        self.routes = routes
        self.keys = keys
    }
}
