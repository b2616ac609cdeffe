import DeepLinkCore

/// The prefix of an origin's links under one of its hosts.
struct OriginPrefix {
    /// The position of the path in a link.
    enum Form: Hashable {
        /// After scheme, host and prefix.
        case path

        /// Directly after the scheme and two slashes, so that its first segment is in the position of a host.
        case authority

        /// Directly after the scheme, without a slash.
        case rootless

        /// In the fragment.
        case fragment

        /// After the host as the first segment: the whole host, or the part that matches `*`, followed by this suffix.
        case hostSegment(suffix: String?)
    }

    /// The identity of a prefix.
    struct Identity: Hashable {
        let name: ByteText
        let form: Form
    }

    /// The origin and host, as named in reports.
    let name: ByteText

    /// Whether the path is in the fragment.
    var isFragment: Bool { if case .fragment = form { true } else { false } }

    /// Whether the host is the first segment of the path.
    var isHostSegment: Bool { if case .hostSegment = form { true } else { false } }

    /// The identity of the prefix.
    var identity: Identity { Identity(name: name, form: form) }

    let scheme: String
    let host: String
    let form: Form

    /// The decoded segments before the segments of the routes.
    let pathPrefix: [String]

    /// The same segments, each percent-encoded after a slash.
    private let prefix: String

    private init(_ origin: Origin, host: String, form: Form) {
        scheme = origin.scheme
        self.host = host
        pathPrefix = origin.pathPrefix
        prefix = origin.pathPrefix.map { "/" + PercentEncoding.encode(literal: $0) }.joined()
        self.form = form
        let mark = if case .fragment = form { "#" } else { "" }
        name = (host.isEmpty ? "\(scheme):\(mark)" : "\(scheme)://\(host)\(prefix)\(mark)").bytewise
    }

    /// Returns the prefixes of an origin's links.
    ///
    /// These are one for each host, or a single one if the host has no meaning, followed by prefixes with the path in
    /// the fragment.
    static func all(of origin: Origin) -> [OriginPrefix] {
        switch origin.authority {
        case .rootless where origin.pathPrefix.isEmpty: return [OriginPrefix(origin, host: "", form: .rootless)]
        case .segment where origin.isWeb:
            return origin.hosts.map { host in
                let isWildcard = host.utf8.starts(with: "*.".utf8)
                let suffix = isWildcard ? String(Substring(host.utf8.dropFirst())) : nil
                return OriginPrefix(origin, host: host, form: .hostSegment(suffix: suffix))
            }
        case .hosts, .segment, .ignore, .rootless:
            let hosts = origin.authority == .hosts && !origin.hosts.isEmpty ? origin.hosts : [""]
            let isSegment = origin.authority == .segment
            let paths =
                (isSegment ? [OriginPrefix(origin, host: "", form: .authority)] : [])
                + hosts.map { OriginPrefix(origin, host: $0, form: .path) }
            return origin.routesFragment ? paths + hosts.map { OriginPrefix(origin, host: $0, form: .fragment) } : paths
        }
    }

    /// Returns the link with a path and query, or `nil` if this host doesn't accept them.
    func link(_ path: WitnessPath) -> String? {
        switch form {
        case .path: return "\(scheme)://\(host)\(prefix)\(path.text)"
        case .fragment: return "\(scheme)://\(host)\(prefix)/#\(path.text)"
        case .authority:
            let segments = prefix + path.text
            return "\(scheme)://" + String(Substring(segments.utf8.dropFirst()))
        case .rootless:
            return path.segments.isEmpty
                ? "\(scheme)://\(path.text)" : "\(scheme):" + String(Substring(path.text.utf8.dropFirst()))
        case .hostSegment(let suffix):
            guard let first = path.segments.first else { return nil }
            guard let suffix else {
                // The host replaces the value if the segment can have any text.
                return first.isFree || first.text.bytewise == hostName.bytewise
                    ? "\(scheme)://\(host)\(prefix)\(path.rest)" : nil
            }
            return "\(scheme)://\(first.text)\(suffix)\(prefix)\(path.rest)"
        }
    }

    /// The host without its port, as a segment.
    var hostName: String { String(Substring(host.utf8.prefix { $0 != UInt8(ascii: ":") })) }

    /// Returns the names of a catalog's origins and hosts.
    static func names(of catalog: RouteCatalog) -> Set<ByteText> {
        Set(catalog.origins.flatMap { all(of: $0).map(\.name) })
    }

    /// Returns the prefixes of a catalog's links.
    ///
    /// Fragments follow the others, and prefixes without a host are last, because the catalog's own schemes always
    /// accept them.
    static func all(of catalog: RouteCatalog) -> [OriginPrefix] {
        let own = catalog.origins.flatMap(all(of:))
        return own.filter { !$0.isFragment } + own.filter(\.isFragment)
            + catalog.origins.filter { !$0.isWeb && $0.pathPrefix.isEmpty && $0.authority != .rootless }
            .map { OriginPrefix($0, host: "", form: .path) }
    }

    /// Returns whether a catalog accepts links with the prefix.
    func isOurs(_ catalog: RouteCatalog) -> Bool {
        guard let text = link(.any), let link = try? DeepLink(text, rootless: catalog.rootlessSchemes) else {
            return false
        }
        if case .failure(.unknownOrigin) = resolve(ResolutionRequest(link: link), userLevel: .lowest, catalog: catalog)
        {
            return false
        }
        return true
    }
}
