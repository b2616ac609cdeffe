import DeepLinkCore
import Yams

/// Reads the tree of a catalog file into a definition; whatever cannot be read is reported and left out.
struct DefinitionReader {
    /// The keys that mean something here.
    static let keys = ["version", "origins", "plusIsSpace", "gates", "entry", "routes"]
    private static let requiredKeys = ["version", "origins", "entry", "routes"]

    let log: IssueLog

    /// Reads the whole file.
    func read(_ root: Node, version: String) -> CatalogDefinition {
        let reader = MappingReader(root, subject: "the catalog", keys: Self.keys, log: log)
        for key in Self.requiredKeys where reader[key] == nil {
            log.report(
                .missingKey,
                at: reader.mark,
                "The catalog has no `\(key)`.",
                hint: key == "version" ? "Begin with `version: 1`." : "Add `\(key):`; see the README's catalog section."
            )
        }
        if let entry = reader["entry"], entry.isNull || entry.mapping?.isEmpty == true {
            log.report(.missingKey, at: entry.mark, "`entry` is empty.", hint: "Name a route where links begin.")
        }
        if let format = reader.string("version"), format != "1" {
            log.report(
                .unsupportedVersion,
                at: reader["version"]?.mark,
                "This program does not read catalogs of version `\(format)`.",
                hint: "Write `version: 1`."
            )
        }
        let paths = DeclaredPaths(reader["routes"])
        return CatalogDefinition(
            version: version,
            origins: reader["origins"].map { OriginReader(log: log).read($0) } ?? [],
            plusIsSpace: reader.bool("plusIsSpace") ?? false,
            gates: reader["gates"].map(gates) ?? [],
            entry: reader["entry"].map { EdgeReader(paths: paths, log: log).read($0, subject: "`entry`") } ?? [],
            routes: reader["routes"].map { RouteReader(paths: paths, log: log).read($0) } ?? []
        )
    }

    private func gates(_ node: Node) -> [GateDefinition] {
        let levels = AuthorizationLevel.allCases.filter { $0 != .none }
        let reader = MappingReader(node, subject: "`gates`", keys: levels.map(\.name), log: log)
        return levels.compactMap { level in
            reader.locatedString(level.name).map { GateDefinition(level: level, path: $0) }
        }
    }
}
