import DeepLinkCore

/// What links of an origin begin with, under one of its hosts.
struct OriginPrefix {
    /// Scheme, host and path prefix, before the slash of the first segment.
    let text: String

    /// The origin and host, in the words of reports.
    let name: ByteText

    /// Lists the beginnings of an origin's links: one for each host, or one where the host means nothing.
    static func all(of origin: Origin) -> [OriginPrefix] {
        let prefix = origin.pathPrefix.map { "/" + PercentEncoding.encode($0) }.joined()
        guard origin.authority == .hosts, !origin.hosts.isEmpty else {
            return [OriginPrefix(text: "\(origin.scheme)://\(prefix)", name: "\(origin.scheme):".bytewise)]
        }
        return origin.hosts.map { host in
            OriginPrefix(
                text: "\(origin.scheme)://\(host)\(prefix)",
                name: "\(origin.scheme)://\(host)\(prefix)".bytewise
            )
        }
    }

    /// The names of a catalog's origins and hosts.
    static func names(of catalog: RouteCatalog) -> Set<ByteText> {
        Set(catalog.origins.flatMap { all(of: $0).map(\.name) })
    }

    /// Finds a beginning for the links of each of two catalogs: one that both take for theirs, where there is one, so that
    /// what an origin loses is told once and not of every link.
    static func shared(by old: RouteCatalog, _ new: RouteCatalog) -> (old: String, new: String) {
        let (before, after) = (texts(of: old), texts(of: new))
        if let shared = (before + after).first(where: { isOurs($0, old) && isOurs($0, new) }) {
            return (shared, shared)
        }
        let own = (before.first { isOurs($0, old) }, after.first { isOurs($0, new) })
        return (own.0 ?? before.first ?? "", own.1 ?? after.first ?? "")
    }

    /// The beginnings of a catalog's links, those without a host last: schemes of our own take them always.
    private static func texts(of catalog: RouteCatalog) -> [String] {
        catalog.origins.flatMap { all(of: $0).map(\.text) }
            + catalog.origins.filter { !$0.isWeb && $0.pathPrefix.isEmpty }.map { "\($0.scheme)://" }
    }

    /// Returns whether a catalog takes links with a beginning for its own.
    private static func isOurs(_ prefix: String, _ catalog: RouteCatalog) -> Bool {
        guard let link = try? DeepLink(prefix + "/") else { return false }
        if case .failure(.unknownOrigin) = resolve(ResolutionRequest(link: link), userLevel: .none, catalog: catalog) {
            return false
        }
        return true
    }
}
