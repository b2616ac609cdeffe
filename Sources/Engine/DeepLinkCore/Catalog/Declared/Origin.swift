/// A scheme of our links, with the hosts that they may have.
package struct Origin: Hashable, Sendable {
    /// The meaning of a link's authority.
    package enum Authority: String, CaseIterable, Sendable {
        /// It is a host, and must be one of the origin's hosts.
        case hosts

        /// It is the first segment of the path, as in `myapp://profile/42`.
        case segment

        /// It is ignored.
        case ignore

        /// Links lack an authority, and the path needs no leading slash: `matrix:u/alice`.
        case rootless = "none"
    }

    /// The scheme in lower case.
    package let scheme: String

    /// The hosts in lower case, each with its port if it has one.
    ///
    /// If hosts are segments, a host that begins with `*.` matches all hosts with the same ending.
    package let hosts: [String]

    /// The meaning of a link's authority.
    package let authority: Authority

    /// The first segments of every link's path, before the segments of the routes.
    package let pathPrefix: [String]

    /// Whether the path continues in the fragment, with a query of its own that joins the query of the link.
    package let routesFragment: Bool

    /// Whether the one segment after the prefix is the code of a short link.
    ///
    /// No route is under such an origin.
    package let hasShortLinks: Bool

    /// Creates an origin, with scheme and hosts in lower case and without the scheme's default port.
    package init(
        scheme: String,
        hosts: [String],
        authority: Authority = .hosts,
        pathPrefix: [String] = [],
        routesFragment: Bool = false,
        hasShortLinks: Bool = false
    ) {
        let scheme = scheme.lowercased()
        self.scheme = scheme
        self.hosts = hosts.map { Self.host($0, ofScheme: scheme) }
        self.authority = authority
        self.pathPrefix = pathPrefix
        self.routesFragment = routesFragment
        self.hasShortLinks = hasShortLinks
    }

    /// Returns a host, possibly with a port, as origins list it: in lower case, without a scheme's default port.
    package static func host(_ text: String, ofScheme scheme: String) -> String {
        let port = scheme.bytewise == "https" ? ":443" : scheme.bytewise == "http" ? ":80" : ""
        guard text.utf8.suffix(port.utf8.count).elementsEqual(port.utf8) else { return text.lowercased() }
        return String(Substring(text.utf8.dropLast(port.utf8.count))).lowercased()
    }

    /// Whether the scheme is `http` or `https`, which need a host.
    package var isWeb: Bool { scheme.bytewise == "http" || scheme.bytewise == "https" }
}
