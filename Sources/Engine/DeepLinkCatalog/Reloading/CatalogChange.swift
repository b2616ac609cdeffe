package import DeepLinkCore

/// The change from a former catalog to a new one: removed things, and things that users with fewer permissions can
/// reach.
///
/// Additions are ignored, because a new route wasn't closed before.
package struct CatalogChange: Sendable {
    /// One sentence for each thing that is removed, or that users with fewer permissions can reach.
    package let sentences: [String]

    /// Whether anything is removed or opened to users with fewer permissions.
    package var takesOrOpens: Bool { !sentences.isEmpty }

    /// Compares two catalogs.
    ///
    /// - Complexity: linear in the routes and edges, for each level and grant.
    package init(from former: RouteCatalog, to new: RouteCatalog) {
        let (before, after) = (AccessSummary(former), AccessSummary(new))
        let access = AccessChange(from: former, to: new)
        sentences =
            Self.origins(former, new) + access.sentences
            + Self.routes(former, before: before, after: after, access: access)
            + Self.edges(before: before, after: after, access: access)
    }

    private static func origins(_ former: RouteCatalog, _ new: RouteCatalog) -> [String] {
        let (before, after) = (former.origins + former.shortLinkOrigins, new.origins + new.shortLinkOrigins)
        let isLost = before.contains { origin in !after.contains { AccessSummary.isSame($0, origin) } }
        let lost =
            isLost ? ["An origin is removed or changed, so other links may be taken for the catalog's own."] : []
        return former.plusIsSpace == new.plusIsSpace ? lost : lost + ["`plusIsSpace` is changed."]
    }

    private static func routes(
        _ catalog: RouteCatalog,
        before: AccessSummary,
        after: AccessSummary,
        access: AccessChange
    ) -> [String] {
        catalog.routes.flatMap { route -> [String] in
            let (name, subject) = (route.name.bytewise, "The route `\(route.name)`")
            guard let requirement = after.requirements[name] else { return ["\(subject) is removed."] }
            if let reason = access.opening(from: route.requirements.access, to: requirement) {
                return ["\(subject) is opened: \(reason)."]
            }
            guard let reach = after.reaches[name] else { return [] }
            guard let former = before.reaches[name] else {
                return ["\(subject) is opened: no link reached it, and with \(access.newText(of: reach)) one does."]
            }
            if access.isOpened(from: former, to: reach) {
                let (old, new) = (access.formerText(of: former), access.newText(of: reach))
                return ["\(subject) is opened: links reach it with \(new), no longer with \(old)."]
            }
            let grant = access.keptGrants.first { pair in
                before.reachedWithout[pair.former]?.contains(name) == false
                    && after.reachedWithout[pair.new]?.contains(name) == true
            }
            return grant.map { ["\(subject) is opened: links reach it without the grant \($0.new.text)."] } ?? []
        }
    }

    private static func edges(before: AccessSummary, after: AccessSummary, access: AccessChange) -> [String] {
        before.edgeOrder.flatMap { key -> [String] in
            // The edges of a removed route are reported with the route.
            guard after.has(key), let former = before.edges[key] else { return [] }
            let new = after.edges[key] ?? []
            let subject = "The edge from \(key.parent.map { "`\($0)`" } ?? "`entry`") to `\(key.child)`"
            guard new.count >= former.count else { return ["\(subject) is removed."] }
            return zip(former, new)
                .flatMap { former, new -> [String] in
                    var sentences: [String] = []
                    if let reason = access.opening(from: former.requirement, to: new.requirement) {
                        sentences.append("\(subject) is opened: \(reason).")
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
