package import DeepLinkCore
import DeepLinkFormats
package import HTTPServer

/// The https address of a plain-text request: the same host and target.
struct SecureAddress {
    /// The maximum length of a host with its port, in bytes (RFC 1035 §2.3.4).
    private static let maximumHostByteCount = 253 + ":65535".utf8.count

    /// The default port of https.
    private static let usualPort = 443

    /// The default port of http.
    private static let usualPlainPort = 80

    /// The port with TLS.
    let port: Int

    /// The redirecting port.
    let redirectPort: Int

    /// Returns the address for a host with an optional port, and a target that begins with a slash, or `nil` if they
    /// are invalid.
    ///
    /// A request to another port than the redirecting one came through a port mapping. The mapping is assumed to
    /// include the https port. The address then names no port.
    func location(authority: String, target: String) -> String? {
        guard authority.utf8.count <= Self.maximumHostByteCount, target.utf8.first == UInt8(ascii: "/"),
            let host = HostName(authority: authority), host.isWellFormed
        else { return nil }
        let isMapped = (host.port ?? Self.usualPlainPort) != redirectPort
        let suffix = isMapped || port == Self.usualPort ? "" : ":\(port)"
        return "https://\(host.text)\(suffix)\(target)"
    }
}

extension RedirectRules {
    /// Creates the rules for redirects to a port with TLS, with problems for requests that are refused.
    package init(
        to securePort: Int,
        from redirectPort: Int,
        now: @escaping @Sendable () -> Timestamp
    ) {
        let address = SecureAddress(port: securePort, redirectPort: redirectPort)
        self.init { authority, target in
            address.location(authority: authority, target: target)
        } refusal: { fault, id in
            EndpointResponse(Problem(fault).identified(by: id))
        } secondsSinceEpoch: {
            now().millisecondsSinceEpoch / 1000
        }
    }
}
