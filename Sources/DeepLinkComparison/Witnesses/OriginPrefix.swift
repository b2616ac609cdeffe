import DeepLinkCore

/// What links of an origin begin with, under one of its hosts.
struct OriginPrefix {
    /// Where the path stands in a link.
    private enum Form {
        /// Behind scheme, host and prefix.
        case path

        /// Right behind the scheme, without a slash.
        case rootless

        /// In the fragment.
        case fragment

        /// Behind the host, which is its first segment: as it is, or with this behind it in the place of a `*`.
        case hostSegment(suffix: String?)
    }

    /// The most beginnings under which the links of an edge are looked for.
    private static let maximumCount = 4

    /// The origin and host, in the words of reports.
    let name: ByteText

    /// Whether the fragment has the path.
    var isFragment: Bool { if case .fragment = form { true } else { false } }

    private let scheme: String
    private let host: String

    /// The segments before those of the routes, each behind a slash.
    private let prefix: String

    private let form: Form

    private init(_ origin: Origin, host: String, _ form: Form) {
        scheme = origin.scheme
        self.host = host
        prefix = origin.pathPrefix.map { "/" + PercentEncoding.encode($0) }.joined()
        self.form = form
        let mark = if case .fragment = form { "#" } else { "" }
        name = (host.isEmpty ? "\(scheme):\(mark)" : "\(scheme)://\(host)\(prefix)\(mark)").bytewise
    }

    /// Lists the beginnings of an origin's links: one for each host, or one where the host means nothing; behind them those
    /// whose fragment has the path.
    static func all(of origin: Origin) -> [OriginPrefix] {
        switch origin.authority {
        case .rootless where origin.pathPrefix.isEmpty: return [OriginPrefix(origin, host: "", .rootless)]
        case .segment where origin.isWeb:
            return origin.hosts.map { host in
                let isWildcard = host.utf8.starts(with: "*.".utf8)
                let suffix = isWildcard ? String(Substring(host.utf8.dropFirst())) : nil
                return OriginPrefix(origin, host: host, .hostSegment(suffix: suffix))
            }
        case .hosts, .segment, .ignore, .rootless:
            let hosts = origin.authority == .hosts && !origin.hosts.isEmpty ? origin.hosts : [""]
            let paths = hosts.map { OriginPrefix(origin, host: $0, .path) }
            return origin.routesFragment ? paths + hosts.map { OriginPrefix(origin, host: $0, .fragment) } : paths
        }
    }

    /// Writes the link of a path and query; `nil` where there is none under this host.
    func link(_ path: String) -> String? {
        switch form {
        case .path: return "\(scheme)://\(host)\(prefix)\(path)"
        case .fragment: return "\(scheme)://\(host)\(prefix)/#\(path)"
        case .rootless:
            let rest = path.utf8.dropFirst()
            return rest.first.map { $0 != UInt8(ascii: "?") } == true
                ? "\(scheme):" + String(Substring(rest)) : "\(scheme)://\(path)"
        case .hostSegment(let suffix):
            let segment = path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            let rest = String(Substring(path.utf8.dropFirst(1 + segment.count)))
            // Whatever the segment was to be, here it is the host; whether that leads anywhere is for the engine to say.
            guard let suffix else { return "\(scheme)://\(host)\(prefix)\(rest)" }
            return segment.isEmpty ? nil : "\(scheme)://\(String(Substring(segment)))\(suffix)\(prefix)\(rest)"
        }
    }

    /// The names of a catalog's origins and hosts.
    static func names(of catalog: RouteCatalog) -> Set<ByteText> {
        Set(catalog.origins.flatMap { all(of: $0).map(\.name) })
    }

    /// Finds beginnings for the links of each of two catalogs: those that both take for theirs, where there are some, so
    /// that what an origin loses is told once and not of every link.
    static func shared(by old: RouteCatalog, _ new: RouteCatalog) -> (old: [OriginPrefix], new: [OriginPrefix]) {
        let (before, after) = (all(of: old), all(of: new))
        var known: Set<ByteText> = []
        let shared = (before + after)
            .filter { isOurs($0, old) && isOurs($0, new) && known.insert($0.name).inserted }
        if !shared.isEmpty {
            let first = Array(shared.prefix(maximumCount))
            return (first, first)
        }
        return (Array(before.filter { isOurs($0, old) }.prefix(1)), Array(after.filter { isOurs($0, new) }.prefix(1)))
    }

    /// The beginnings of a catalog's links: fragments behind the others, and those without a host last, since schemes of our
    /// own take them always.
    private static func all(of catalog: RouteCatalog) -> [OriginPrefix] {
        let own = catalog.origins.flatMap(all(of:))
        return own.filter { !$0.isFragment } + own.filter(\.isFragment)
            + catalog.origins.filter { !$0.isWeb && $0.pathPrefix.isEmpty && $0.authority != .rootless }
            .map { OriginPrefix($0, host: "", .path) }
    }

    /// Returns whether a catalog takes links with a beginning for its own.
    private static func isOurs(_ prefix: OriginPrefix, _ catalog: RouteCatalog) -> Bool {
        guard let text = prefix.link("/x"), let link = try? DeepLink(text, rootless: catalog.rootlessSchemes) else {
            return false
        }
        if case .failure(.unknownOrigin) = resolve(ResolutionRequest(link: link), userLevel: .none, catalog: catalog) {
            return false
        }
        return true
    }
}
