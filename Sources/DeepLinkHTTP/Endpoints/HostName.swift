import NIOCore

/// Splits the host name off an authority, to tell what kind of name it is.
struct HostName {
    private let name: String

    /// Cuts the port off `host:port` or `[address]:port`.
    init(authority: String) {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            name = String(authority[authority.index(after: authority.startIndex)..<end])
        } else {
            name = String(authority.prefix { $0 != ":" }).lowercased()
        }
    }

    /// Whether the name is `localhost`, one below it (RFC 6761 §6.3), or an IP address.
    var isLocal: Bool {
        name == "localhost" || name.hasSuffix(".localhost") || (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }

    /// Whether the name has no dot: one of a private network, such as a container's, and never of the public DNS.
    var isSingleLabel: Bool { !name.isEmpty && !name.contains(".") }
}
