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
        sentences =
            Self.origins(former, new) + Self.routes(former, before: before, after: after)
            + Self.edges(former, before: before, after: after)
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
        after: CatalogOutline
    ) -> [String] {
        catalog.routes.flatMap { route -> [String] in
            let (name, subject) = (route.name.bytewise, "The route `\(route.name)`")
            guard let level = after.levels[name] else { return ["\(subject) is removed."] }
            guard level >= route.authorizationLevel else {
                return ["\(subject) is opened: its level falls from \(route.authorizationLevel.name) to \(level.name)."]
            }
            guard let reach = after.reaches[name] else { return [] }
            guard let former = before.reaches[name] else {
                return ["\(subject) is opened: no link reached it, and with \(reach.name) one does."]
            }
            return reach >= former
                ? [] : ["\(subject) is opened: links reach it with \(reach.name), no longer with \(former.name)."]
        }
    }

    private static func edges(_ catalog: RouteCatalog, before: CatalogOutline, after: CatalogOutline) -> [String] {
        before.edgeOrder.flatMap { key -> [String] in
            // The edges of a removed route are reported with the route.
            guard after.has(key), let former = before.edges[key] else { return [] }
            let new = after.edges[key] ?? []
            let subject = "The edge from \(key.parent.map { "`\($0)`" } ?? "`entry`") to `\(key.child)`"
            guard new.count >= former.count else { return ["\(subject) is removed."] }
            return zip(former, new)
                .flatMap { former, new -> [String] in
                    var sentences: [String] = []
                    if new.level < former.level {
                        sentences.append(
                            "\(subject) is opened: its level falls from \(former.level.name) to \(new.level.name)."
                        )
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
