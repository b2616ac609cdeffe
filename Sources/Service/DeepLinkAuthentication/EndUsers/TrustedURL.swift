import DeepLinkCore
import Foundation
import NIOCore

/// A URL that keys may be fetched from: https, or http if the host is this machine.
struct TrustedURL: Sendable {
    private let url: URL

    /// The whole URL.
    var text: String { url.absoluteString }

    /// The name or address of the server, without the brackets of IPv6 addresses.
    let host: String

    /// The port, by default the scheme's own.
    var port: Int { url.port ?? (isSecure ? 443 : 80) }

    /// The value of `Host` in requests to the server (RFC 9110 section 7.2).
    var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return url.port.map { "\(name):\($0)" } ?? name
    }

    /// The target of a request to the server (RFC 9112 section 3.2.1).
    var target: String {
        let path = url.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    }

    /// The URL without its query, for logs.
    var name: String { String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") })) }

    /// Whether the connection is secured by TLS.
    var isSecure: Bool { url.scheme.map { ASCII.equalIgnoringCase($0.utf8.span, "https".utf8.span) } == true }

    /// Checks a URL.
    init(_ text: String) throws(TrustedURLError) {
        try self.init(URL(string: text, encodingInvalidCharacters: false))
    }

    private init(_ url: URL?) throws(TrustedURLError) {
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true),
            !host.isEmpty
        else { throw .malformed }
        let bytes = host.utf8
        let isBracketed = bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
        let name = String(Substring(isBracketed ? bytes.dropFirst().dropLast() : bytes[...]))
        guard scheme.bytewise == "https" || scheme.bytewise == "http" && Self.isLoopback(name) else { throw .insecure }
        guard url.user == nil, url.password == nil, url.fragment == nil else { throw .surplus }
        self.url = url
        self.host = name
    }

    /// Returns the URL that a response redirects to.
    ///
    /// A redirect from https to http is refused.
    func redirection(to location: String) throws(TrustedURLError) -> TrustedURL {
        let target = URL(string: location, relativeTo: url)
        let next = try TrustedURL(target?.absoluteURL)
        guard next.isSecure || !isSecure else { throw .insecure }
        return next
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        guard name.bytewise != "localhost", name.bytewise != "::1" else { return true }
        return name.utf8.starts(with: "127.".utf8) && (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }
}

/// The reason why keys are not fetched from a URL.
package enum TrustedURLError: Error, Hashable, CustomStringConvertible {
    /// The text isn't an absolute URL with a host.
    case malformed

    /// The scheme is neither https, nor http of a loopback address.
    case insecure

    /// The URL holds a user name, a password or a fragment.
    case surplus

    /// The description of the error.
    package var description: String {
        switch self {
        case .malformed: "it isn't a URL, such as https://id.example/.well-known/jwks.json"
        case .insecure: "it is not https, which keys are fetched by from any host but a loopback address"
        case .surplus: "it holds a user name, a password or a fragment"
        }
    }
}
