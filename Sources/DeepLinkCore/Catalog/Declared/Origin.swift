/// A scheme of our links, with the hosts that they may have.
package struct Origin: Hashable, Sendable {
    /// The meaning of a link's authority.
    package enum Authority: String, CaseIterable, Sendable {
        /// It is a host, and must be one of the origin's.
        case hosts

        /// It is the first segment of the path, as in `myapp://profile/42`.
        case segment

        /// It has no meaning.
        case ignore

        /// There is none, and the path needs no leading slash: `matrix:u/alice`.
        case rootless = "none"
    }

    /// The scheme in lower case.
    package let scheme: String

    /// The hosts, each with its port if it has one, in lower case; if they are segments, one that begins with `*.`
    /// matches all hosts with the same ending.
    package let hosts: [String]

    /// The meaning of a link's authority.
    package let authority: Authority

    /// The first segments of every link's path, before those of the routes.
    package let pathPrefix: [String]

    /// Whether the path continues in the fragment, whose own query joins that of the link.
    package let routesFragment: Bool

    /// Whether the one segment after the prefix is the code of a short link; no route is under such an origin.
    package let hasShortLinks: Bool

    /// Creates an origin; the scheme and the hosts are lower-cased, and the scheme's default port is dropped.
    package init(
        scheme: String,
        hosts: [String],
        authority: Authority = .hosts,
        pathPrefix: [String] = [],
        routesFragment: Bool = false,
        hasShortLinks: Bool = false
    ) {
        let scheme = scheme.lowercased()
        let defaultPort = scheme.bytewise == "https" ? ":443" : scheme.bytewise == "http" ? ":80" : nil
        self.scheme = scheme
        self.hosts = hosts.map { host in
            let port = host.utf8.suffix(defaultPort?.utf8.count ?? 0)
            guard let defaultPort, port.elementsEqual(defaultPort.utf8) else { return host.lowercased() }
            return String(Substring(host.utf8.dropLast(port.count))).lowercased()
        }
        self.authority = authority
        self.pathPrefix = pathPrefix
        self.routesFragment = routesFragment
        self.hasShortLinks = hasShortLinks
    }

    /// Whether the scheme is `http` or `https`, which need a host.
    package var isWeb: Bool { scheme.bytewise == "http" || scheme.bytewise == "https" }
}
