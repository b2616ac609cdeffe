import DeepLinkCore

/// The levels and the grants that a catalog declares, with their names in code.
struct NamedPermissions {
    /// The levels, the lowest first; empty if the catalog declares none, so that its code stays the same.
    let levels: [NamedWord]

    /// The grants, in the order of the catalog.
    let grants: [NamedWord]

    /// Names the levels and grants of a catalog.
    ///
    /// In `--rename` the path of a level is `levels.` and its name, that of a grant `grants.` and its name.
    init(of catalog: RouteCatalog, rules: NamingRules, namer: inout Namer) {
        let file = catalog.routes.first?.location.file ?? ""
        func named(_ names: [String], kind: String) -> [NamedWord] {
            var scope = Namer.Scope(kind: kind, rules.words)
            return names.map { name in
                let identifier = namer.name(
                    name,
                    path: "\(kind)s.\(name)",
                    at: SourceLocation(file: file, line: 1, column: 1),
                    in: &scope
                )
                return NamedWord(word: name, identifier: identifier)
            }
        }
        levels = catalog.levels.isDeclared ? named(catalog.levels.names.map(\.text), kind: "level") : []
        grants = named(catalog.grants.names.map(\.text), kind: "grant")
    }
}
