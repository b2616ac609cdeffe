/// The https address of a request that arrived in plain text: the same host and target.
struct SecureAddress {
    /// The longest host with its port, in bytes (RFC 1035 §2.3.4).
    private static let maximumHostByteCount = 253 + ":65535".utf8.count

    /// The port that https addresses need not name.
    private static let usualPort = 443

    /// The port of requests that name none.
    private static let usualPlainPort = 80

    /// The port that speaks TLS.
    let port: Int

    /// The port that redirects.
    let redirectPort: Int

    /// Returns the address for a host with an optional port, and a target that begins with a slash; `nil` if they name
    /// none.
    ///
    /// A request to another port than the redirecting one came through a mapping of ports, which is taken to map that of
    /// https as well: then the address names no port.
    func location(authority: String, target: String) -> String? {
        guard authority.utf8.count <= Self.maximumHostByteCount, target.utf8.first == UInt8(ascii: "/"),
            let host = HostName(authority: authority), host.isWellFormed
        else { return nil }
        let isMapped = (host.port ?? Self.usualPlainPort) != redirectPort
        let suffix = isMapped || port == Self.usualPort ? "" : ":\(port)"
        return "https://\(host.text)\(suffix)\(target)"
    }
}
