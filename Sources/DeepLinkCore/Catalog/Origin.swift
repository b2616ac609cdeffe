/// Names a scheme, with the hosts it may carry, whose links are ours.
public struct Origin: Hashable, Sendable {
    /// The scheme in lower case.
    public let scheme: String

    /// The hosts, each with its port where it has one, in lower case.
    public let hosts: [String]

    /// Creates an origin; the scheme and the hosts are lower-cased, and the scheme's default port is dropped.
    public init(scheme: String, hosts: [String]) {
        let scheme = scheme.lowercased()
        let defaultPort = scheme == "https" ? ":443" : scheme == "http" ? ":80" : nil
        self.scheme = scheme
        self.hosts = hosts.map { host in
            guard let defaultPort, host.hasSuffix(defaultPort) else { return host.lowercased() }
            return String(host.dropLast(defaultPort.count)).lowercased()
        }
    }

    /// Whether the scheme is `http` or `https`, which need a host.
    public var isWeb: Bool { scheme == "http" || scheme == "https" }

    /// Tells whether a link is of this origin.
    ///
    /// Hosts are compared without regard to case; under a custom scheme an empty host always fits. A link with
    /// a port fits only a host that is listed with that port.
    public func includes(_ link: DeepLink) -> Bool {
        let spans = link.spans
        let bytes = link.bytes
        guard ASCII.equalIgnoringCase(bytes[spans.scheme.start..<spans.scheme.end], scheme.utf8) else { return false }
        if spans.host.isEmpty { return !isWeb }
        let host = bytes[spans.host.start..<spans.host.end]
        guard let port = spans.port else { return hosts.contains { ASCII.equalIgnoringCase(host, $0.utf8) } }
        return hosts.contains { ASCII.equalIgnoringCase(Array(host) + ":\(port)".utf8, $0.utf8) }
    }
}
