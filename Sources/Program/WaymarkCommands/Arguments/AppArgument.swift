import ArgumentParser
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkFormats

/// The name of an app on the command line, which is checked against a catalog.
struct AppArgument: ExpressibleByArgument {
    /// The name as given.
    let name: String

    init(argument: String) { name = argument }

    /// Returns the app of a catalog with this name.
    ///
    /// - Throws: ``CommandError`` that lists the apps, if none has the name.
    func index(in catalog: RouteCatalog) throws(CommandError) -> AppIndex {
        if let app = catalog.apps.index(named: name) { return app }
        let names = catalog.apps.named.compactMap(\.name)
        let hint = SpellingSuggestion.closest(to: name, among: names).map { "did you mean `\($0)`?" }
        let known = names.isEmpty ? "the catalog names none." : "there are \(names.joined(separator: ", "))."
        throw CommandError.usage("`\(name)` isn't an app of the catalog; \(hint ?? known)")
    }

    /// Returns the catalog of the app alone.
    ///
    /// - Throws: ``CommandError`` if the catalog has no such app, or if the rest isn't a sound catalog.
    func catalog(of whole: RouteCatalog) throws -> RouteCatalog {
        let app = try index(in: whole)
        return try CommandError.translate { try whole.restricted(to: app) }
    }
}
