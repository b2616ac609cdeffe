/// Names a scheme, with the hosts it may carry, whose links are ours.
public struct Origin: Hashable, Sendable {
    /// Says what the text in the place of the host means.
    public enum Authority: String, CaseIterable, Sendable {
        /// It is a host, and must be one of the origin's.
        case hosts

        /// It is the first segment of the path, as in `myapp://profile/42`.
        case segment

        /// It means nothing.
        case ignore
    }

    /// The scheme in lower case.
    public let scheme: String

    /// The hosts, each with its port where it has one, in lower case.
    public let hosts: [String]

    /// What the text in the place of the host means.
    public let authority: Authority

    /// The segments with which the path of every link begins, before those of the routes.
    public let pathPrefix: [String]

    /// Creates an origin; the scheme and the hosts are lower-cased, and the scheme's default port is dropped.
    public init(scheme: String, hosts: [String], authority: Authority = .hosts, pathPrefix: [String] = []) {
        let scheme = scheme.lowercased()
        let defaultPort = scheme == "https" ? ":443" : scheme == "http" ? ":80" : nil
        self.scheme = scheme
        self.hosts = hosts.map { host in
            guard let defaultPort, host.hasSuffix(defaultPort) else { return host.lowercased() }
            return String(host.dropLast(defaultPort.count)).lowercased()
        }
        self.authority = authority
        self.pathPrefix = pathPrefix
    }

    /// Whether the scheme is `http` or `https`, which need a host.
    public var isWeb: Bool { scheme == "http" || scheme == "https" }

    /// Finds the part of a link's path that its routes are matched against; `nil` where the link is foreign.
    func routedPath(of link: DeepLink) -> RoutedPath? {
        guard includesAuthority(of: link) else { return nil }
        var start = link.spans.path.start
        if authority == .segment, !link.spans.host.isEmpty {
            // The host stands right before the path, so the two read as one; a stray colon may not come between.
            guard link.spans.host.end == start else { return nil }
            start = link.spans.host.start
        }
        for prefix in pathPrefix {
            guard let segment = link.nextSegment(from: start),
                DecodedBytes(link.bytes[segment.start..<segment.end]).elementsEqual(prefix.utf8)
            else { return nil }
            start = segment.end
        }
        return RoutedPath(link: link, start: start)
    }

    /// Tells whether a link has the origin's scheme and one of its hosts, whatever the path.
    ///
    /// Hosts are compared without regard to case; under a custom scheme an empty host always fits. A link with
    /// a port fits only a host that is listed with that port.
    public func includesAuthority(of link: DeepLink) -> Bool {
        let spans = link.spans
        let bytes = link.bytes
        guard ASCII.equalIgnoringCase(bytes[spans.scheme.start..<spans.scheme.end], scheme.utf8) else { return false }
        if spans.host.isEmpty { return !isWeb }
        guard authority == .hosts else { return spans.port == nil }
        let host = bytes[spans.host.start..<spans.host.end]
        guard let port = spans.port else { return hosts.contains { ASCII.equalIgnoringCase(host, $0.utf8) } }
        return hosts.contains { ASCII.equalIgnoringCase(Array(host) + ":\(port)".utf8, $0.utf8) }
    }
}
