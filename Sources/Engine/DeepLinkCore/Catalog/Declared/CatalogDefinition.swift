/// A catalog as its file declares it, before names are resolved.
///
/// The reader of a format, such as the YAML loader or a test, creates a definition. ``RouteCatalog/init(_:interruption:)`` checks it
/// and prepares it for matching.
package struct CatalogDefinition: Sendable {
    /// The identity of the file's content.
    package var version: String

    /// The origins of our links, in order of preference for printing.
    package var origins: [Located<Origin>]

    /// Whether a plus in a query stands for a space, as in HTML forms.
    package var plusIsSpace: Bool

    /// Whether the file declares the meaning of a plus.
    package var saysPlus: Bool

    /// The levels of users, the lowest first.
    package var levels: LevelLadder

    /// The grants of users, in the order of the declaration.
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

    /// The files that the catalog includes.
    package var includedFiles: IncludedFiles

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
        keys: KeyLocations = .none,
        includedFiles: IncludedFiles = .none
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
        self.includedFiles = includedFiles
    }
}

/// The declaration of a gate: the link through which a user obtains a level or a grant.
package struct GateDefinition: Sendable {
    /// The level or the grant that the gate gives.
    package let gives: Attainment

    /// The path of the link, optionally with a query.
    package let path: Located<String>

    /// The presentation over the app's current stack, or `nil` if the gate's stack replaces it.
    package let over: Located<Presentation>?

    /// Creates a declaration, in which the gate's stack replaces the app's current stack by default.
    package init(gives attainment: Attainment, path: Located<String>, over: Located<Presentation>? = nil) {
        gives = attainment
        self.path = path
        self.over = over
    }

    /// Creates the declaration of a level's gate.
    package init(level: AuthorizationLevel, path: Located<String>) {
        self.init(gives: .level(level), path: path)
    }
}

/// The keys of query pairs that a link's page passes on: a key, a prefix with `*` after it, or `*` for all.
package struct KeptKeys: Hashable, Sendable {
    private static let star = UInt8(ascii: "*")

    /// The patterns, in the order of the file.
    package let patterns: [ByteText]

    /// The keys of a catalog that declares none: the keys of campaigns and of Google's advertisements.
    package static let standard = KeptKeys(["utm_*", "gclid", "gbraid", "wbraid"])

    /// Creates a set from its patterns.
    package init(_ patterns: [String]) {
        self.patterns = patterns.map { $0.bytewise }
    }

    /// Returns whether a text is a pattern, with a star at its end at most.
    package static func isPattern(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && !text.utf8.dropLast().contains(star)
    }

    /// Returns whether a pattern matches a key.
    package func contains(_ key: String) -> Bool {
        patterns.contains { pattern in
            pattern.string.utf8.last == Self.star
                ? key.utf8.starts(with: pattern.string.utf8.dropLast()) : key.bytewise == pattern
        }
    }
}
