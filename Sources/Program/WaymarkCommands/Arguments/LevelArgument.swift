import ArgumentParser
import DeepLinkCore
import DeepLinkFormats

/// The name of a level on the command line, which is checked against a catalog or the database.
struct LevelArgument: ExpressibleByArgument {
    /// The name as given.
    let name: String

    init(argument: String) { name = argument }

    /// Returns the level with this name.
    ///
    /// - Throws: ``CommandError`` that lists the levels, if none has the name.
    func level(in levels: LevelLadder) throws(CommandError) -> AuthorizationLevel {
        if let level = levels.level(named: name) { return level }
        let names = levels.names.map(\.text)
        let hint = SpellingSuggestion.closest(to: name, among: names).map { "did you mean `\($0)`?" }
        throw CommandError.usage("`\(name)` isn't an authorization level; \(hint ?? "there are \(levels.list()).")")
    }
}

extension RouteCatalog {
    /// Returns the permissions of a command line, which names a level and, separated by commas, grants.
    ///
    /// - Throws: `CommandError` for a name that is not in the catalog.
    func permissions(level: LevelArgument?, grants names: String?) throws -> Permissions {
        var permissions = Permissions(level: try level?.level(in: levels) ?? .lowest)
        for name in names.map(NameList.items) ?? [] {
            guard let grant = grants.grant(named: name) else {
                let known = grants.isEmpty ? "the catalog has none" : "there are \(grants.list())"
                throw CommandError.usage("`\(name)` isn't a grant; \(known).")
            }
            permissions = permissions.adding(.grant(grant))
        }
        return permissions
    }
}
