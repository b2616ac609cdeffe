/// The advice for a link of no origin: the part that does not match, and its remedy.
enum OriginAdvice {
    /// The maximum number of hosts or schemes in the advice.
    private static let maximumCount = 5

    /// Returns the remedy, in the link or in the catalog.
    static func hint(for link: DeepLink, in catalog: RouteCatalog) -> String {
        let (scheme, host) = (link.scheme, link.host)
        let origins = catalog.origins.filter { ASCII.equalIgnoringCase($0.scheme, scheme) }
        guard let origin = origins.first else { return schemes(of: catalog, beside: scheme) }
        let keys = catalog.originKeys.filter { $0.includesAuthority(of: link) }
        // A listed host is not matched by a `*`.
        let fitting = keys.contains { !$0.isWildcard } ? keys.filter { !$0.isWildcard } : keys
        guard fitting.isEmpty else {
            let prefixes = fitting.map { catalog.origins[$0.origin].pathPrefix.map { "/" + $0 }.joined() }
            return "Links of `\(origin.scheme)` begin with the path \(listed(prefixes.filter { !$0.isEmpty }))."
        }
        let hosted = origins.filter { $0.authority == .hosts || $0.isWeb }
        guard !hosted.isEmpty else {
            return "Links of `\(origin.scheme)` name no host: `\(withoutHost(link))`."
        }
        if let port = link.port {
            return "A link with a port needs the same port in `hosts`: `\(host):\(port)`."
        }
        let hosts = hosted.flatMap { $0.hosts }
        if let listed = hosts.first(where: { ASCII.equalIgnoringCase(withoutPort($0), host) }), !host.isEmpty {
            return "The host is listed in `hosts` with a port, which the link lacks: `\(listed)`."
        }
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
        let schemes = catalog.origins.map { $0.scheme }.filter { known.insert($0.bytewise).inserted }
        let near = SpellingSuggestion.ranked(sorted: schemes.sorted()[...], near: scheme).first
        return "The schemes are \(listed(schemes))." + (near.map { " Did you mean `\($0)`?" } ?? "")
    }

    private static func listed(_ names: [String]) -> String {
        let quoted = names.prefix(maximumCount).map { "`\($0)`" }
        return quoted.joined(separator: ", ") + (names.count > maximumCount ? " and others" : "")
    }

    private static func withoutPort(_ host: String) -> String {
        String(Substring(host.utf8.prefix { $0 != ASCII.colon }))
    }

    /// Returns the link with the text from the place of its host as the first segment of its path, without a slash
    /// before it.
    private static func withoutHost(_ link: DeepLink) -> String {
        "\(link.scheme):" + String(decoding: link.bytes[link.spans.host.start...], as: UTF8.self)
    }

    /// Returns the link with the text from the place of its host as the first segment of its path.
    private static func withEmptyHost(_ link: DeepLink) -> String {
        "\(link.scheme):///" + String(decoding: link.bytes[link.spans.host.start...], as: UTF8.self)
    }
}
