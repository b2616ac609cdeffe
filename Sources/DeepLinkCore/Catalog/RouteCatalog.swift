/// All routes of an app: validated, immutable, and laid out for matching.
///
/// A class so that passing a catalog around, or swapping it for a newer one, costs one reference count.
public final class RouteCatalog: Sendable {
    /// The identity of the file's content: the first 12 hexadecimal digits of its SHA-256.
    public let version: String

    /// What probably is not meant as the file says it, in the order of the file.
    public let warnings: [CatalogIssue]

    /// Whose links are ours, in order of preference for printing.
    public let origins: [Origin]

    /// Whether a plus in a query stands for a space, as in HTML forms.
    public let plusIsSpace: Bool

    /// The apps that open the links.
    public let apps: Apps

    /// The web site that the links are part of.
    public let site: Site

    /// The same origins, laid out for comparing.
    let originKeys: [OriginKey]

    /// The order in which they are compared: whole hosts first, then the longest prefix, else that of ``origins``.
    let originOrder: [Int]

    /// The schemes whose links need no slash before their path.
    public let rootlessSchemes: RootlessSchemes

    /// Whether some link is matched as a text that is put together from its parts.
    let joinsParts: Bool

    /// Whether some route hands on to the link in its query.
    let hasRedirects: Bool

    /// Whether some place takes a version of the app.
    public let asksForApps: Bool

    /// Whether some route is only for links that are signed.
    public let hasSignedRoutes: Bool

    let graph: CatalogGraph
    let automaton: MatchingAutomaton

    /// The gates, lowest level first.
    let gates: [Gate]

    /// Checks a definition and lays it out.
    ///
    /// - Throws: ``CatalogError`` with every fault found, in the order of the file. Faults that would make a
    ///   later check meaningless (a cycle of containers) leave that check out.
    /// - Complexity: linear in the edges, containers expanded, plus the pairs of parameters that compete at one
    ///   place.
    public convenience init(_ definition: CatalogDefinition) throws(CatalogError) {
        var issues: [CatalogIssue] = []
        var meant: [Int] = []
        let graph = CatalogGraph(definition, reporting: &issues, meant: &meant)
        let checks = GraphChecks.run(graph, definition, meant: meant)
        issues += checks.issues
        guard !checks.hasCycle else { throw CatalogError(issues) }
        let automaton = MatchingAutomatonBuilder.build(graph, reporting: &issues)
        // Where not every path is known, no gate can be judged.
        guard !issues.contains(where: { $0.code == .tooLarge }) else { throw CatalogError(issues) }
        let ungated = RouteCatalog(definition, graph, automaton, gates: [])
        let gates = GateChecks.gates(of: definition, in: ungated, reporting: &issues)
        guard issues.allSatisfy({ $0.code.severity == .warning }) else { throw CatalogError(issues) }
        issues += EmptyPathCheck.issues(of: ungated)
        let warnings = issues.isEmpty ? [] : CatalogError(issues).issues
        self.init(definition, graph, automaton, gates: gates, warnings: warnings)
    }

    /// Puts checked parts together; without gates, these are what resolving a gate's own link takes.
    private init(
        _ definition: CatalogDefinition,
        _ graph: CatalogGraph,
        _ automaton: MatchingAutomaton,
        gates: [Gate],
        warnings: [CatalogIssue] = []
    ) {
        version = definition.version
        self.warnings = warnings
        origins = definition.origins.map(\.value)
        let keys = origins.indices.flatMap { OriginKey.all(of: definition.origins[$0].value, at: $0) }
        originKeys = keys
        originOrder = keys.indices.sorted { left, right in
            let (one, other) = (keys[left].rank, keys[right].rank)
            return (one.hostRank, one.prefixRank, left) < (other.hostRank, other.prefixRank, right)
        }
        joinsParts = keys.contains(where: \.joinsParts)
        hasRedirects = graph.packed.contains(where: \.isRedirect)
        asksForApps = graph.edges.contains { !$0.requirements.since.isEmpty }
        hasSignedRoutes = graph.packed.contains(where: \.isSigned)
        rootlessSchemes = RootlessSchemes(origins.filter { $0.authority == .rootless }.map(\.scheme))
        plusIsSpace = definition.plusIsSpace
        apps = definition.apps
        site = definition.site
        self.graph = graph
        self.automaton = automaton
        self.gates = gates
    }

    /// Takes a catalog over with other warnings.
    private init(_ other: RouteCatalog, warnings: [CatalogIssue]) {
        version = other.version
        self.warnings = warnings
        origins = other.origins
        originKeys = other.originKeys
        originOrder = other.originOrder
        rootlessSchemes = other.rootlessSchemes
        joinsParts = other.joinsParts
        hasRedirects = other.hasRedirects
        asksForApps = other.asksForApps
        hasSignedRoutes = other.hasSignedRoutes
        plusIsSpace = other.plusIsSpace
        apps = other.apps
        site = other.site
        graph = other.graph
        automaton = other.automaton
        gates = other.gates
    }
}

extension RouteCatalog {
    /// The same catalog with further warnings.
    public func adding(_ more: [CatalogIssue]) -> RouteCatalog {
        more.isEmpty ? self : RouteCatalog(self, warnings: CatalogError(warnings + more).issues)
    }

    /// The link of each gate with the level it gives, lowest level first.
    public var gateLinks: [(level: AuthorizationLevel, link: String)] { gates.map { ($0.level, $0.link) } }

    /// The routes, in the order of the file.
    public var routes: [Route] { graph.routes }

    /// The edges between routes, those of one parent together; `entry`'s come last.
    public var edges: [Edge] { graph.edges }

    /// The edges at which a link may begin.
    public var entry: Range<Int> { graph.entry }

    /// The first origin of a scheme, whatever its case.
    public func origin(ofScheme scheme: String) -> Origin? {
        originKeyIndex(ofScheme: scheme).map { origins[originKeys[$0].origin] }
    }

    /// The first origin of a scheme, as an index into ``originKeys``.
    func originKeyIndex(ofScheme scheme: String) -> Int? {
        originKeys.firstIndex { ASCII.equalIgnoringCase(origins[$0.origin].scheme.utf8.span, scheme.utf8.span) }
    }
}
