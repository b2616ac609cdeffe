import DeepLinkCore

/// The reader of a catalog file's tree; it reports and omits unreadable parts.
struct DefinitionReader {
    /// The supported keys.
    static let keys = ["version", "origins", "plusIsSpace", "levels", "gates", "apps", "web", "entry", "routes"]
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
        let edges = EdgeReader(paths: paths, levels: levels, log: log)
        let routes = RouteReader(paths: paths, levels: levels, site: site, log: log)
        return CatalogDefinition(
            version: version,
            origins: reader["origins"].map { OriginReader(log: log).read($0) } ?? [],
            plusIsSpace: reader.bool("plusIsSpace") ?? false,
            levels: levels,
            gates: reader["gates"].map { gates($0, levels: levels) } ?? [],
            apps: reader["apps"].map { AppsReader(log: log).read($0) } ?? .none,
            site: site,
            entry: entry.map { edges.read($0, subject: "`entry`", example: "root") } ?? [],
            routes: reader["routes"].map(routes.read) ?? []
        )
    }

    /// Reads the gates; their keys are the levels above the lowest, by their present or former names.
    private func gates(_ node: YAMLNode, levels: LevelLadder) -> [GateDefinition] {
        let former = levels.formerNames.filter { $0.level > .lowest }.map(\.name.text)
        let keys = levels.gated.map(levels.text(of:)) + former
        let reader = MappingReader(node, subject: "`gates`", keys: keys, log: log)
        let gates = keys.compactMap { key -> GateDefinition? in
            guard let level = levels.level(named: key) else { return nil }
            return reader.locatedString(key).map { GateDefinition(level: level, path: $0) }
        }
        if levels.isDeclared { checkOrder(of: node.pairs ?? [], levels: levels) }
        return gates
    }

    /// Reports gates that do not stand in the order of a declared ladder, and two for one level.
    private func checkOrder(of pairs: [YAMLPair], levels: LevelLadder) {
        var last = AuthorizationLevel.lowest
        for pair in pairs {
            guard let level = levels.level(named: pair.key), level > .lowest else { continue }
            if level == last {
                log.report(
                    .duplicateKey,
                    at: pair.mark,
                    message: "`gates` has a second gate of `\(levels.text(of: level))`.",
                    hint: "Remove the one with the former name."
                )
            } else if level < last {
                log.report(
                    .gateOrder,
                    at: pair.mark,
                    message: "The gate of `\(pair.key)` follows that of `\(levels.text(of: last))`, a higher level.",
                    hint: "Write the gates in the order of `levels`, the lowest first."
                )
            }
            last = max(last, level)
        }
    }
}
