import DeepLinkCore

/// The reader of a catalog file's tree; it reports and omits unreadable parts.
struct DefinitionReader {
    /// The supported keys.
    static let keys = ["version", "origins", "plusIsSpace", "gates", "apps", "web", "entry", "routes"]
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
        return CatalogDefinition(
            version: version,
            origins: reader["origins"].map { OriginReader(log: log).read($0) } ?? [],
            plusIsSpace: reader.bool("plusIsSpace") ?? false,
            gates: reader["gates"].map(gates) ?? [],
            apps: reader["apps"].map { AppsReader(log: log).read($0) } ?? .none,
            site: site,
            entry: entry.map { EdgeReader(paths: paths, log: log).read($0, subject: "`entry`", example: "root") } ?? [],
            routes: reader["routes"].map { RouteReader(paths: paths, site: site, log: log).read($0) } ?? []
        )
    }

    private func gates(_ node: YAMLNode) -> [GateDefinition] {
        let levels = AuthorizationLevel.allCases.filter { $0 != .none }
        let reader = MappingReader(node, subject: "`gates`", keys: levels.map(\.name), log: log)
        return levels.compactMap { level in
            reader.locatedString(level.name).map { GateDefinition(level: level, path: $0) }
        }
    }
}
