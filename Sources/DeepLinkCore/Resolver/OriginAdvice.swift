/// The advice for a link of no origin: the part that does not match, and its remedy.
enum OriginAdvice {
    /// The most hosts or schemes that are listed.
    private static let maximumCount = 5

    /// Returns the remedy, in the link or in the catalog.
    static func hint(for link: DeepLink, in catalog: RouteCatalog) -> String {
        let (scheme, host) = (link.scheme, link.host)
        let origins = catalog.origins.filter { ASCII.equalIgnoringCase($0.scheme, scheme) }
        guard let origin = origins.first else { return schemes(of: catalog, beside: scheme) }
        let hosted = origins.filter { $0.authority == .hosts || $0.isWeb }
        if origin.authority == .rootless, !host.isEmpty || link.port != nil {
            return "Links of `\(origin.scheme)` name no host: `\(withoutHost(link))`."
        }
        let isHost = hosted.contains { origin in
            origin.hosts.contains { ASCII.equalIgnoringCase($0, host) } || !origin.isWeb && host.isEmpty
        }
        if hosted.count < origins.count || isHost && link.port == nil {
            let prefixes = origins.map { $0.pathPrefix.map { "/" + $0 }.joined() }.filter { !$0.isEmpty }
            return "Links of `\(origin.scheme)` begin with the path \(listed(prefixes))."
        }
        if let port = link.port {
            return "A link with a port needs the same port in `hosts`: `\(host):\(port)`."
        }
        let hosts = hosted.flatMap(\.hosts)
        let known =
            hosts.isEmpty
            ? "The origin `\(origin.scheme)` lists no `hosts`."
            : "The hosts of `\(origin.scheme)` are \(listed(hosts))."
        guard !origin.isWeb else { return known }
        // The most common mistake with a custom scheme: `shop://products/42`.
        return "`\(host)` is in the place of the host. If it is the first segment of the path, write "
            + "`authority: segment` for the origin `\(origin.scheme)` in the catalog, or the link as "
            + "`\(withEmptyHost(link))`. " + known
    }

    private static func schemes(of catalog: RouteCatalog, beside scheme: String) -> String {
        var known: Set<ByteText> = []
        let schemes = catalog.origins.map(\.scheme).filter { known.insert($0.bytewise).inserted }
        let near = SpellingSuggestion.ranked(sorted: schemes.sorted()[...], near: scheme).first
        return "The schemes are \(listed(schemes))." + (near.map { " Did you mean `\($0)`?" } ?? "")
    }

    private static func listed(_ names: [String]) -> String {
        let quoted = names.prefix(maximumCount).map { "`\($0)`" }
        return quoted.joined(separator: ", ") + (names.count > maximumCount ? " and others" : "")
    }

    /// Returns the link with the text in its host's place as the first segment of its path, without a slash before it.
    private static func withoutHost(_ link: DeepLink) -> String {
        let rest = String(decoding: link.bytes[link.spans.path.start...], as: UTF8.self)
        return "\(link.scheme):\(link.host)\(rest)"
    }

    /// Returns the link with the text in its host's place as the first segment of its path.
    private static func withEmptyHost(_ link: DeepLink) -> String {
        let rest = String(decoding: link.bytes[link.spans.path.start...], as: UTF8.self)
        return "\(link.scheme):///\(link.host)\(rest)"
    }
}
