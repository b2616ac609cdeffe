/// All routes of an app: validated, immutable, and prepared for matching.
///
/// A class, so that passing a catalog on, or replacing it by a newer one, changes one reference count.
///
/// ```swift
/// let catalog = store.catalog
/// catalog.version.utf8.count  // 12
/// LocalResolver(catalog).answer(to: "navigation:/onboarding", level: "none").status  // 200
/// ```
public final class RouteCatalog: Sendable {
    /// The identity of the file's content: the first 12 hexadecimal digits of its SHA-256.
    public let version: String

    /// The probable mistakes in the file, in the order of the file.
    package let warnings: [CatalogIssue]

    /// The origins of our links, in order of preference for printing.
    package let origins: [Origin]

    /// The origins of short links, under which no route is printed, in order of preference.
    package let shortLinkOrigins: [Origin]

    /// Whether a plus in a query stands for a space, as in HTML forms.
    package let plusIsSpace: Bool

    /// The levels of users.
    package let levels: LevelLadder

    /// The grants of users.
    package let grants: GrantList

    /// Whether the app may assert levels or grants (`from: app`).
    package let takesAssertions: Bool

    /// The apps that open the links.
    package let apps: Apps

    /// The web site that the links belong to.
    package let site: Site

    /// The origins, prepared for comparing.
    let originKeys: [OriginKey]

    /// The order in which origins are compared: exact hosts first, then the longest prefix, then the order of
    /// ``origins``.
    let originOrder: [Int]

    /// The origins of short links, prepared for comparing, the longest prefix first.
    let shortLinkKeys: [OriginKey]

    /// The schemes of links without a slash before their path.
    package let rootlessSchemes: RootlessSchemes

    /// Whether some links are matched as a text assembled from their parts.
    let joinsParts: Bool

    /// Whether some route redirects to the link in its query.
    let hasRedirects: Bool

    /// Whether some destination requires a version of the app.
    package let asksForApps: Bool

    /// Whether some destination is in one app alone.
    package let dividesApps: Bool

    /// Whether an answer may depend on the requesting app, by its name or its version.
    package let dependsOnApps: Bool

    /// Whether some destination requires a grant.
    let asksForGrants: Bool

    /// Whether some route requires signed links.
    package let hasSignedRoutes: Bool

    /// The edges between routes, grouped by parent, `entry` last.
    package let edges: [Edge]

    /// The locations of the file's keys, its gates and its origins.
    package let keys: KeyLocations

    /// The definition without its routes and gates, from which a copy with other levels is made.
    private let declared: CatalogDefinition

    let graph: CatalogGraph
    let automaton: MatchingAutomaton

    /// The gates, in the order in which users pass them.
    let gates: [Gate]

    /// Checks a definition and prepares it for matching, unless it is cancelled.
    ///
    /// - Throws: ``CatalogError`` with every issue, in the order of the file. Checks that depend on an earlier issue,
    ///   such as a cycle of containers, are skipped. After a cancellation, an issue says so.
    /// - Complexity: linear in the edges, containers expanded, plus the pairs of parameters that compete in one state.
    package convenience init(
        _ definition: CatalogDefinition,
        interruption: Interruption = .never
    ) throws(CatalogError) {
        var issues: [CatalogIssue] = []
        var meant: [Int] = []
        let graph = CatalogGraph(definition, reporting: &issues, meant: &meant)
        let checks = GraphChecks.run(graph, definition: definition, meant: meant)
        issues += checks.issues
        guard !checks.hasCycle else { throw CatalogError(issues) }
        let automaton = MatchingAutomatonBuilder.build(graph, interruption: interruption, reporting: &issues)
        // Without all paths, gates cannot be checked.
        guard !issues.contains(where: { $0.code == .tooLarge }) else { throw CatalogError(issues) }
        let ungated = RouteCatalog(definition, graph: graph, automaton: automaton, gates: [])
        let (gated, gates) = GateLayers.add(
            to: GateChecks.gates(of: definition, in: ungated, reporting: &issues),
            in: graph
        )
        issues += GateLayers.issues(of: gates, in: gated)
        issues += StackAppCheck.issues(of: definition, gates: gates, in: graph)
        guard issues.allSatisfy({ $0.code.severity == .warning }) else { throw CatalogError(issues) }
        issues += EmptyPathCheck.issues(of: ungated)
        issues += HostLabelCheck.issues(of: definition, graph)
        issues += ListedPathCheck.issues(of: graph)
        issues += GrantGateCheck.issues(of: definition, graph)
        issues += PlusCheck.issues(of: definition, graph)
        if let warning = GateLayers.warning(of: gates, in: gated, definition) { issues.append(warning) }
        let warnings = issues.isEmpty ? [] : CatalogError(issues).issues
        self.init(definition, graph: gated, automaton: automaton, gates: gates, warnings: warnings)
    }

    /// Creates a catalog from checked parts, without gates in order to resolve the gates' own links.
    private init(
        _ definition: CatalogDefinition,
        graph: CatalogGraph,
        automaton: MatchingAutomaton,
        gates: [Gate],
        warnings: [CatalogIssue] = []
    ) {
        version = definition.version
        declared = definition.withoutRoutes
        self.warnings = warnings
        origins = definition.origins.map { $0.value }.filter { !$0.hasShortLinks }
        let shortLinkOrigins = definition.origins.map { $0.value }.filter { $0.hasShortLinks }
        self.shortLinkOrigins = shortLinkOrigins
        shortLinkKeys = shortLinkOrigins.indices.flatMap { OriginKey.all(of: shortLinkOrigins[$0], at: $0) }
            .sorted { $0.prefixCount > $1.prefixCount }
        let routed = origins
        let keys = routed.indices.flatMap { OriginKey.all(of: routed[$0], at: $0) }
        originKeys = keys
        originOrder = keys.indices.sorted { left, right in
            let (one, other) = (keys[left].rank, keys[right].rank)
            return (one.hostRank, one.prefixRank, left) < (other.hostRank, other.prefixRank, right)
        }
        joinsParts = keys.contains { $0.joinsParts }
        hasRedirects = graph.packed.contains { $0.isRedirect }
        let asksForApps = graph.edges.contains { !$0.requirements.since.isEmpty }
        let dividesApps = graph.edges.contains { $0.app != nil }
        self.asksForApps = asksForApps
        self.dividesApps = dividesApps
        dependsOnApps = asksForApps || dividesApps
        asksForGrants = graph.packed.contains { !$0.grants.isEmpty }
        hasSignedRoutes = graph.packed.contains { $0.isSigned }
        rootlessSchemes = RootlessSchemes(origins.filter { $0.authority == .rootless }.map { $0.scheme })
        plusIsSpace = definition.plusIsSpace
        levels = definition.levels
        grants = definition.grants
        takesAssertions = levels.highestFromApp > .lowest || !grants.fromApp.isEmpty
        apps = definition.apps
        site = definition.site
        self.keys = definition.keys
        edges = graph.gateEdges.isEmpty ? graph.edges : Array(graph.edges.prefix(graph.entry.upperBound))
        self.graph = graph
        self.automaton = automaton
        self.gates = gates
    }
}

extension RouteCatalog {
    /// Returns the same catalog with further warnings.
    package func adding(_ more: [CatalogIssue]) -> RouteCatalog {
        more.isEmpty ? self : copy(of: declared, warnings: CatalogError(warnings + more).issues)
    }

    /// Returns the same catalog, which also reads the names to which its levels were renamed in a database.
    package func reading(_ renames: [LevelRename]) -> RouteCatalog {
        var definition = declared
        definition.levels = levels.reading(renames)
        return definition.levels === levels ? self : copy(of: definition, warnings: warnings)
    }

    private func copy(of definition: CatalogDefinition, warnings: [CatalogIssue]) -> RouteCatalog {
        RouteCatalog(definition, graph: graph, automaton: automaton, gates: gates, warnings: warnings)
    }

    /// The files that the catalog includes.
    package var includedFiles: IncludedFiles { declared.includedFiles }

    /// The routes, in the order of the file.
    package var routes: [Route] { graph.routes }

    /// The edges at which a link may begin.
    package var entry: Range<Int> { graph.entry }

    /// Returns the first origin of a scheme, ignoring case.
    package func origin(ofScheme scheme: String) -> Origin? {
        originKeyIndex(ofScheme: scheme).map { origins[originKeys[$0].origin] }
    }

    /// Returns the first origin of a scheme, as an index into ``originKeys``.
    func originKeyIndex(ofScheme scheme: String) -> Int? {
        originKeys.firstIndex { ASCII.equalIgnoringCase(origins[$0.origin].scheme, scheme) }
    }
}

extension RouteCatalog {
    /// Returns the permissions that an app asserts by names, ignoring names that aren't `from: app`, so that old apps
    /// continue to work.
    package func assertions(_ names: some Sequence<String>) -> Permissions {
        guard takesAssertions else { return .none }
        var permissions = Permissions.none
        for name in names {
            if let level = levels.level(named: name) {
                if level <= levels.highestFromApp { permissions = permissions.adding(.level(level)) }
            } else if let grant = grants.grant(named: name), grants.fromApp.contains(grant) {
                permissions = permissions.adding(.grant(grant))
            }
        }
        return permissions
    }

    /// The maximum permissions that an app can assert.
    package var allAssertions: Permissions { Permissions(level: levels.highestFromApp, grants: grants.fromApp) }

    /// Returns the level or the grant of a present or former name, or `nil` if the catalog doesn't have it.
    package func attainment(named name: String) -> Attainment? {
        levels.level(named: name).map { .level($0) } ?? grants.grant(named: name).map { .grant($0) }
    }

    /// Returns the name of the level or the grant that a gate gives.
    package func text(of attainment: Attainment) -> String { attainment.text(in: levels, grants) }

    /// Returns the names that a requirement includes: its level, unless everyone has it, and its grants.
    package func texts(of requirement: Requirement) -> [String] {
        (requirement.level > .lowest ? [levels.text(of: requirement.level)] : []) + grants.texts(of: requirement.grants)
    }

    /// The gates in the order in which users pass them: each with its level or grant, its link, and its presentation
    /// over the app's current stack, if it has one.
    package var gatesInOrder: [(gives: Attainment, link: String, over: Presentation?)] {
        gates.map { ($0.gives, $0.link, $0.over?.value) }
    }

    /// The edges that present gates over the app's current stack, whichever destination is on top, in addition to
    /// ``edges``.
    package var gateEdges: ArraySlice<Edge> { graph.edges[graph.entry.upperBound...] }

    /// The link of each level's gate, lowest level first.
    package var gateLinks: [(level: AuthorizationLevel, link: String)] {
        gates.compactMap { gate in gate.gives.level.map { ($0, gate.link) } }
    }

    /// Returns the first level or grant that a user lacks, in the order of the gates.
    ///
    /// Returns `nil` if the requirement is met, or lacks a gate.
    package func firstMissing(
        for requirement: Requirement,
        in permissions: Permissions
    ) -> Attainment? {
        gates.first { $0.gives.isMissing(in: permissions, for: requirement) }?.gives
    }
}

extension CatalogDefinition {
    /// The same definition without its routes and gates.
    fileprivate var withoutRoutes: CatalogDefinition {
        var rest = self
        (rest.gates, rest.entry, rest.routes) = ([], [], [])
        return rest
    }
}
