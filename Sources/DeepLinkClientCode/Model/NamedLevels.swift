import DeepLinkCore

/// The levels that a catalog declares, the lowest first, with their names in code.
struct NamedLevels {
    let words: [NamedWord]

    /// Names the levels of a catalog; `nil` if it declares none, so that its code stays the same.
    ///
    /// In `--rename` the path of a level is `levels.` and its name.
    init?(of catalog: RouteCatalog, rules: NamingRules, namer: inout Namer) {
        guard catalog.levels.isDeclared else { return nil }
        let file = catalog.routes.first?.location.file ?? ""
        var scope = Namer.Scope(kind: "level", rules.words)
        var words: [NamedWord] = []
        for name in catalog.levels.names {
            let identifier = namer.name(
                name.text,
                path: "levels.\(name.text)",
                at: SourceLocation(file: file, line: 1, column: 1),
                in: &scope
            )
            words.append(NamedWord(word: name.text, identifier: identifier))
        }
        self.words = words
    }
}
