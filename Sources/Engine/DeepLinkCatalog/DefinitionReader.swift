import DeepLinkCore

/// The reader of a catalog file's tree.
///
/// It reports and omits unreadable parts.
struct DefinitionReader {
    /// The supported keys of a catalog's own file.
    static let keys = [
        "version", "include", "origins", "plusIsSpace", "levels", "grants", "gates", "apps", "web", "entry",
        GroupsReader.key, "routes",
    ]

    let log: IssueLog

    /// Reads and checks a catalog in the form of a file, or of a catalog's JSON.
    ///
    /// - Parameters:
    ///   - root: The tree of the catalog's own file.
    ///   - version: The version of the catalog.
    ///   - included: The files that the catalog includes, or `nil` for a text without a folder.
    ///   - interruption: A check that cancels the reading.
    /// - Returns: The catalog.
    /// - Throws: `CatalogError` with every issue found, the issues in the log first.
    func catalog(
        _ root: YAMLNode,
        version: String,
        including included: IncludedTrees? = nil,
        interruption: Interruption = .never
    ) throws(CatalogError) -> RouteCatalog {
        let definition = read(
            CatalogDocumentForm(log: log).file(root),
            version: version,
            isDocument: CatalogDocumentForm.isForm(of: root),
            including: included
        )
        var issues = log.issues
        guard !interruption.isDue else { throw CatalogError([log.givenUp]) }
        // A catalog without some of its edges has further faults of no use.
        guard !issues.contains(where: { $0.code == .tooLarge }) else { throw CatalogError(issues) }
        do throws(CatalogError) {
            let catalog = try RouteCatalog(definition, interruption: interruption)
            if issues.allSatisfy({ $0.code.severity == .warning }) { return catalog.adding(issues) }
        } catch {
            issues += error.issues.filter { !log.heldBack.contains($0.code) }
        }
        throw CatalogError(issues)
    }

    /// Reads all files, where the edges of a document may name the group that declared them.
    private func read(
        _ root: YAMLNode,
        version: String,
        isDocument: Bool,
        including included: IncludedTrees?
    ) -> CatalogDefinition {
        let reader = MappingReader(root, subject: "the catalog", keys: Self.keys, log: log)
        reader.require("version", hint: "Begin with `version: 1`.")
        let needed = ["origins", "entry"] + (reader["include"] == nil ? ["routes"] : [])
        for key in needed {
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
        // Each reader has the log of its file. What included files may declare is read from all, in this order.
        let files = [reader] + includedFiles(included, in: reader)
        let declaresRoutes = files.contains { $0["routes"] != nil }
        if !declaresRoutes || files.contains(where: { $0["routes"].map { $0.pairs == nil } ?? false }) {
            log.holdBack(.unknownRoute, .unreachableRoute, .gateUnresolved)
        }
        let paths = DeclaredPaths(files.compactMap { $0["routes"] })
        let site = reader["web"].map { SiteReader(log: log).read($0) } ?? .unnamed
        let levels = reader["levels"].map { LevelsReader(log: log).read($0) } ?? .standard
        let declared = reader["grants"].map { GrantsReader(levels: levels, log: log).read($0) } ?? .none
        let gates = gates(of: files, levels: levels, grants: declared)
        let grants = declared.isEmpty ? declared : declared.ordered(by: gates.compactMap { $0.gives.grant })
        let apps = reader["apps"].map { AppsReader(log: log).read($0) } ?? .none
        let access = AccessReader(levels: levels, grants: grants, hasGrants: reader["grants"] != nil, apps: apps)
        func edges(of file: MappingReader) -> EdgeReader {
            EdgeReader(paths: paths, access: access, apps: apps, namesGroups: isDocument, log: file.log)
        }
        var groups = EdgeGroups()
        for file in files {
            guard let node = file[GroupsReader.key] else { continue }
            GroupsReader(edges: edges(of: file), log: file.log).read(node, into: &groups)
        }
        var count = 0
        let routes = files.flatMap { file -> [RouteDefinition] in
            guard let node = file["routes"] else { return [] }
            let reader = RouteReader(
                access: access,
                apps: apps,
                site: site,
                edges: edges(of: file),
                groups: groups,
                log: file.log
            )
            return reader.read(node, edgesOfGroups: &count)
        }
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
            entry: entry.map { edges(of: reader).read($0, subject: "`entry`", example: "root") } ?? [],
            routes: files.count > 1 ? unique(routes) : routes,
            keys: keyLocations(of: root, including: included, origins: origins),
            includedFiles: included?.files ?? .none
        )
    }

    /// Returns the readers of the included files, each with the log of its own file.
    private func includedFiles(_ included: IncludedTrees?, in reader: MappingReader) -> [MappingReader] {
        if included == nil, let node = reader["include"] {
            log.report(
                .includeOutside,
                at: node.mark,
                message: "`include` names files of the catalog's folder, and this text has no folder.",
                hint: "Give the catalog's file by its path, or its JSON, which `waymark catalog show --format json` "
                    + "writes with all files."
            )
        }
        let isComplete = included?.isComplete ?? (reader["include"] == nil)
        if !isComplete {
            log.holdBack(.unknownRoute, .unknownGroup, .unreachableRoute)
            log.holdBack(.gateUnresolved, .missingGate, .grantWithoutGate)
        }
        return included?.trees.map { $0.reader(logging: log) } ?? []
    }

    /// Reads the gates of all files: the catalog's own first, then file by file.
    private func gates(of files: [MappingReader], levels: LevelLadder, grants: GrantList) -> [GateDefinition] {
        var predecessors = GatesReader.Predecessors()
        return files.flatMap { file in
            file["gates"]
                .map {
                    GatesReader(levels: levels, grants: grants, log: file.log).read($0, after: &predecessors)
                } ?? []
        }
    }

    /// Returns the routes without a second route of one name, which is reported.
    private func unique(_ routes: [RouteDefinition]) -> [RouteDefinition] {
        var places: [ByteText: SourceLocation] = [:]
        return routes.filter { route in
            let (name, place) = (route.name.value, route.name.location)
            guard let other = places.updateValue(place, forKey: name.bytewise) else { return true }
            places[name.bytewise] = other
            log.reportDuplicate(.duplicateRoute, of: "The route `\(name)`", at: place, other: other)
            return false
        }
    }

    /// Returns the locations of the file's keys, of its gates and apps, and of its origins by their schemes and hosts.
    private func keyLocations(
        of root: YAMLNode,
        including included: IncludedTrees?,
        origins: [Located<Origin>]
    ) -> KeyLocations {
        var locations = MappingReader.keyLocations(of: root, log: log, naming: [.gates, .apps])
        for origin in origins {
            let (scheme, place) = (origin.value.scheme, origin.location)
            for name in ["\(scheme):"] + origin.value.hosts.map({ "\(scheme)://\($0)" }) {
                locations.add(.origins, named: name.bytewise, line: place.line, column: place.column)
            }
        }
        for tree in included?.trees ?? [] {
            locations.include(
                MappingReader.keyLocations(of: tree.root, log: log.ofFile(tree.file), naming: [.gates])
            )
        }
        return locations
    }
}

/// The trees of the files that a catalog includes.
struct IncludedTrees {
    /// The files, for the names of locations in them.
    let files: IncludedFiles

    /// The readable files, in the byte order of their names.
    let trees: [IncludedTree]

    /// Whether every file that `include` names is readable.
    let isComplete: Bool
}

/// The tree of a file that a catalog includes.
struct IncludedTree {
    /// The supported keys.
    static let keys = ["gates", GroupsReader.key, "routes"]

    let root: YAMLNode

    /// The file, under the name that its issues have.
    let file: String

    /// Returns a reader of the file's keys, which reports keys of the catalog's own file.
    func reader(logging log: IssueLog) -> MappingReader {
        let log = log.ofFile(file)
        let foreign = DefinitionReader.keys.filter { !Self.keys.contains($0) }
        func isForeign(_ pair: YAMLPair) -> Bool { foreign.contains { $0.bytewise == pair.key.bytewise } }
        for pair in root.pairs ?? [] where isForeign(pair) {
            log.report(
                .unknownKey,
                at: pair.mark,
                message: "`\(pair.key)` isn't a key of an included file.",
                hint: "Write it in the catalog's own file. Keys are \(Self.keys.joined(separator: ", "))."
            )
        }
        let own = root.pairs.map { pairs in
            YAMLNode(content: .mapping(pairs.filter { !isForeign($0) }), mark: root.mark)
        }
        return MappingReader(own ?? root, subject: "the included file", keys: Self.keys, log: log)
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
