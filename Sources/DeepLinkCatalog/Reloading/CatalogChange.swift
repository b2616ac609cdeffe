package import DeepLinkCore

/// The change from a former catalog to a new one: removed things, and things that lower levels can reach.
///
/// Additions are ignored: a new route wasn't closed before.
package struct CatalogChange: Sendable {
    /// One sentence for each thing that is removed, or that a lower level can reach.
    package let sentences: [String]

    /// Whether anything is removed or opened to a lower level.
    package var takesOrOpens: Bool { !sentences.isEmpty }

    /// Compares two catalogs.
    ///
    /// - Complexity: linear in the routes and edges.
    package init(from former: RouteCatalog, to new: RouteCatalog) {
        let (before, after) = (CatalogOutline(former), CatalogOutline(new))
        let users = former.levels.pairs(with: new.levels)
        let names = Levels(former: former.levels, new: new.levels, users: users)
        sentences =
            Self.origins(former, new) + Self.levels(former.levels, new.levels)
            + Self.routes(former, before: before, after: after, levels: names)
            + Self.edges(before: before, after: after, levels: names)
    }

    /// The levels of both catalogs.
    private struct Levels {
        let former: LevelLadder
        let new: LevelLadder
        let users: [LevelPair]

        /// Returns whether another required level admits some user who was denied.
        func isOpened(from level: AuthorizationLevel, to other: AuthorizationLevel) -> Bool {
            users.areWidened(from: level, to: other)
        }
    }

    private static func levels(_ former: LevelLadder, _ new: LevelLadder) -> [String] {
        let places = former.names.map { ($0, new.level(stored: $0)) }
        let removed = places.filter { $0.1 == nil }.map { "The level `\($0.0.text)` is removed." }
        let known = places.compactMap(\.1)
        guard zip(known, known.dropFirst()).contains(where: { $0 >= $1 }) else { return removed }
        return removed + ["The levels are in another order."]
    }

    private static func origins(_ former: RouteCatalog, _ new: RouteCatalog) -> [String] {
        let isLost = former.origins.contains { origin in !new.origins.contains { CatalogOutline.isSame($0, origin) } }
        let lost =
            isLost ? ["An origin is removed or changed, so other links may be taken for the catalog's own."] : []
        return former.plusIsSpace == new.plusIsSpace ? lost : lost + ["`plusIsSpace` is changed."]
    }

    private static func routes(
        _ catalog: RouteCatalog,
        before: CatalogOutline,
        after: CatalogOutline,
        levels: Levels
    ) -> [String] {
        catalog.routes.flatMap { route -> [String] in
            let (name, subject) = (route.name.bytewise, "The route `\(route.name)`")
            guard let level = after.levels[name] else { return ["\(subject) is removed."] }
            guard !levels.isOpened(from: route.authorizationLevel, to: level) else {
                let (old, new) = (levels.former.text(of: route.authorizationLevel), levels.new.text(of: level))
                return ["\(subject) is opened: its level falls from \(old) to \(new)."]
            }
            guard let reach = after.reaches[name] else { return [] }
            guard let former = before.reaches[name] else {
                return ["\(subject) is opened: no link reached it, and with \(levels.new.text(of: reach)) one does."]
            }
            guard levels.isOpened(from: former, to: reach) else { return [] }
            let (old, new) = (levels.former.text(of: former), levels.new.text(of: reach))
            return ["\(subject) is opened: links reach it with \(new), no longer with \(old)."]
        }
    }

    private static func edges(before: CatalogOutline, after: CatalogOutline, levels: Levels) -> [String] {
        before.edgeOrder.flatMap { key -> [String] in
            // The edges of a removed route are reported with the route.
            guard after.has(key), let former = before.edges[key] else { return [] }
            let new = after.edges[key] ?? []
            let subject = "The edge from \(key.parent.map { "`\($0)`" } ?? "`entry`") to `\(key.child)`"
            guard new.count >= former.count else { return ["\(subject) is removed."] }
            return zip(former, new)
                .flatMap { former, new -> [String] in
                    var sentences: [String] = []
                    if levels.isOpened(from: former.level, to: new.level) {
                        let (old, level) = (levels.former.text(of: former.level), levels.new.text(of: new.level))
                        sentences.append("\(subject) is opened: its level falls from \(old) to \(level).")
                    }
                    if new.isLinkable, !former.isLinkable { sentences.append("\(subject) is opened to links.") }
                    if former.isInitial, !new.isInitial {
                        sentences.append("\(subject) is no longer initial, so links no longer require its level.")
                    }
                    return sentences
                }
        }
    }
}
