/// A scheme, with the hosts it may carry, whose links are ours.
public struct Origin: Hashable, Sendable {
    /// The meaning of the text in the place of the host.
    public enum Authority: String, CaseIterable, Sendable {
        /// It is a host, and must be one of the origin's.
        case hosts

        /// It is the first segment of the path, as in `myapp://profile/42`.
        case segment

        /// It means nothing.
        case ignore

        /// There is none, and the path needs no slash before it: `matrix:u/alice`.
        case rootless = "none"
    }

    /// The scheme in lower case.
    public let scheme: String

    /// The hosts, each with its port where it has one, in lower case; where they are segments, one that begins with `*.`
    /// stands for all that end as it does.
    public let hosts: [String]

    /// What the text in the place of the host means.
    public let authority: Authority

    /// The segments with which the path of every link begins, before those of the routes.
    public let pathPrefix: [String]

    /// Whether the path goes on in the fragment, whose own query joins that of the link.
    public let routesFragment: Bool

    /// Creates an origin; the scheme and the hosts are lower-cased, and the scheme's default port is dropped.
    public init(
        scheme: String,
        hosts: [String],
        authority: Authority = .hosts,
        pathPrefix: [String] = [],
        routesFragment: Bool = false
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
    }

    /// Whether the scheme is `http` or `https`, which need a host.
    public var isWeb: Bool { scheme.bytewise == "http" || scheme.bytewise == "https" }
}
