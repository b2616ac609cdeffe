import DeepLinkCore

/// The reader of a catalog file's tree.
///
/// It reports and omits unreadable parts.
struct DefinitionReader {
    /// The supported keys.
    static let keys = [
        "version", "origins", "plusIsSpace", "levels", "grants", "gates", "apps", "web", "entry", "routes",
    ]

    let log: IssueLog

    /// Reads and checks a catalog in the form of a file, or of a catalog's JSON.
    ///
    /// - Throws: `CatalogError` with every issue found, the issues in the log first.
    func catalog(
        _ root: YAMLNode,
        version: String,
        interruption: Interruption = .never
    ) throws(CatalogError) -> RouteCatalog {
        let definition = read(CatalogDocumentForm(log: log).file(root), version: version)
        var issues = log.issues
        guard !interruption.isDue else { throw CatalogError([log.givenUp]) }
        do throws(CatalogError) {
            let catalog = try RouteCatalog(definition, interruption: interruption)
            if issues.allSatisfy({ $0.code.severity == .warning }) { return catalog.adding(issues) }
        } catch {
            issues += error.issues.filter { !log.heldBack.contains($0.code) }
        }
        throw CatalogError(issues)
    }

    /// Reads the whole file.
    func read(_ root: YAMLNode, version: String) -> CatalogDefinition {
        let reader = MappingReader(root, subject: "the catalog", keys: Self.keys, log: log)
        reader.require("version", hint: "Begin with `version: 1`.")
        for key in ["origins", "entry", "routes"] {
            reader.require(key, hint: "Add `\(key):`; docs/reference/catalog.md has every key.")
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
        let grants = declared.isEmpty ? declared : declared.ordered(by: gates.compactMap { $0.gives.grant })
        let apps = reader["apps"].map { AppsReader(log: log).read($0) } ?? .none
        let access = AccessReader(levels: levels, grants: grants, hasGrants: reader["grants"] != nil, apps: apps)
        let edges = EdgeReader(paths: paths, access: access, apps: apps, log: log)
        let routes = RouteReader(paths: paths, access: access, apps: apps, site: site, log: log)
        let origins = reader["origins"].map { OriginReader(log: log).read($0) } ?? []
        return CatalogDefinition(
            version: version,
            origins: origins,
            plusIsSpace: reader.bool("plusIsSpace") ?? false,
            saysPlus: reader["plusIsSpace"] != nil,
            levels: levels,
            grants: grants,
            gates: gates,
            apps: apps,
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

/// The reader of `grants`: the names of a catalog's grants, and their former names.
struct GrantsReader {
    /// The levels of the catalog, because a grant cannot have the name of a level.
    let levels: LevelLadder

    let log: IssueLog

    /// Reads the list, reporting and omitting unreadable grants.
    func read(_ node: YAMLNode) -> GrantList {
        let hint = "Write a list of names: `grants: [kyc, pro]`."
        guard let items = log.items(of: node, subject: "`grants`", hint: hint) else { return incomplete() }
        guard (1...GrantList.maximumCount).contains(items.count) else {
            log.report(
                .invalidValue,
                at: node.mark,
                message: items.isEmpty ? "`grants` is empty." : "`grants` has \(items.count) names.",
                hint: "Name 1 to \(GrantList.maximumCount) grants; leave `grants` out for none."
            )
            return incomplete()
        }
        let reader = NamesReader(
            noun: "grant",
            example: "{ name: unlocked, from: app }",
            duplicate: .duplicateGrant,
            log: log
        )
        var taken: [ByteText: String] = [:]
        for name in levels.names + levels.formerNames.map({ $0.name }) { taken[name.text.bytewise] = "level" }
        let grants = reader.read(items, seen: taken)
        let known = grants.compactMap { $0 }
        if known.count < grants.count { holdBack() }
        let places = known.indices.map { Grant(place: UInt8($0)) }
        return GrantList(
            known.compactMap { GrantName($0.name.value) },
            formerNames: zip(known, places)
                .flatMap { item, grant in
                    item.formerNames.compactMap { former in GrantName(former.value).map { ($0, grant) } }
                },
            fromApp: GrantSet(zip(known, places).filter { $0.0.fromApp != nil }.map { GrantSet($0.1) })
        )
    }

    /// Returns an empty list in place of one that cannot be read.
    private func incomplete() -> GrantList {
        holdBack()
        return .none
    }

    /// Holds back the issues that follow from an unreadable grant.
    private func holdBack() { log.holdBack(.unknownGrant, .grantWithoutGate, .gateTooHigh) }
}
