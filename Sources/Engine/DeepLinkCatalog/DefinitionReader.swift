import DeepLinkCore

/// The reader of a catalog file's tree.
///
/// It reports and omits unreadable parts.
struct DefinitionReader {
    /// The supported keys.
    static let keys = [
        "version", "origins", "plusIsSpace", "levels", "grants", "gates", "apps", "web", "entry", "routes",
    ]
    private static let requiredKeys = ["version", "origins", "entry", "routes"]

    let log: IssueLog

    /// Reads the whole file.
    func read(_ root: YAMLNode, version: String) -> CatalogDefinition {
        let reader = MappingReader(root, subject: "the catalog", keys: Self.keys, log: log)
        for key in Self.requiredKeys where reader[key] == nil {
            log.report(
                .missingKey,
                at: reader.mark,
                message: "The catalog has no `\(key)`.",
                hint: key.bytewise == "version"
                    ? "Begin with `version: 1`." : "Add `\(key):`; docs/reference/catalog.md has every key."
            )
        }
        var entry = reader["entry"]
        if let node = entry, node.isNull || node.pairs?.isEmpty == true {
            entry = nil
            log.report(
                .missingKey,
                at: node.mark,
                message: "`entry` is empty.",
                hint: "Name a route where links begin."
            )
        }
        if let format = reader.string("version"), format.bytewise != "1" {
            log.report(
                .unsupportedVersion,
                at: reader["version"]?.mark,
                message: "This program does not read catalogs of version `\(format)`.",
                hint: "Write `version: 1`."
            )
        }
        // An unreadable part is reported once, and not again for each thing that it should contain.
        if entry?.pairs == nil { log.holdBack(.unreachableRoute, .gateUnresolved) }
        if reader["routes"]?.pairs == nil { log.holdBack(.unknownRoute, .unreachableRoute, .gateUnresolved) }
        let paths = DeclaredPaths(reader["routes"])
        let site = reader["web"].map { SiteReader(log: log).read($0) } ?? .unnamed
        let levels = reader["levels"].map { LevelsReader(log: log).read($0) } ?? .standard
        let declared = reader["grants"].map { GrantsReader(levels: levels, log: log).read($0) } ?? .none
        let gates = reader["gates"].map { GatesReader(levels: levels, grants: declared, log: log).read($0) } ?? []
        let grants = declared.isEmpty ? declared : declared.ordered(by: gates.compactMap(\.gives.grant))
        let access = AccessReader(levels: levels, grants: grants, hasGrants: reader["grants"] != nil)
        let edges = EdgeReader(paths: paths, access: access, log: log)
        let routes = RouteReader(paths: paths, access: access, site: site, log: log)
        let origins = reader["origins"].map { OriginReader(log: log).read($0) } ?? []
        return CatalogDefinition(
            version: version,
            origins: origins,
            plusIsSpace: reader.bool("plusIsSpace") ?? false,
            saysPlus: reader["plusIsSpace"] != nil,
            levels: levels,
            grants: grants,
            gates: gates,
            apps: reader["apps"].map { AppsReader(log: log).read($0) } ?? .none,
            site: site,
            entry: entry.map { edges.read($0, subject: "`entry`", example: "root") } ?? [],
            routes: reader["routes"].map(routes.read) ?? [],
            keys: keyLocations(of: root, origins: origins)
        )
    }

    /// Returns the locations of the file's keys, of its gates, and of its origins by their schemes and hosts.
    private func keyLocations(of root: YAMLNode, origins: [Located<Origin>]) -> KeyLocations {
        var locations = MappingReader.keyLocations(of: root, log: log, naming: [.gates])
        for origin in origins {
            let (scheme, place) = (origin.value.scheme, origin.location)
            for name in ["\(scheme):"] + origin.value.hosts.map({ "\(scheme)://\($0)" }) {
                locations.add(.origins, named: name.bytewise, line: place.line, column: place.column)
            }
        }
        return locations
    }
}
