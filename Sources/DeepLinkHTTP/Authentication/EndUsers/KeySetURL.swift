import Foundation
import NIOCore

/// Is a URL that keys may be fetched from: https, or http where the host is this machine.
struct KeySetURL: Sendable {
    private let url: URL

    /// The URL as the HTTP client takes it.
    var text: String { url.absoluteString }

    /// The URL without its query, to be logged.
    var name: String { text.prefix { $0 != "?" }.description }

    /// Whether the connection is secured by TLS.
    var isSecure: Bool { url.scheme?.lowercased() == "https" }

    /// Checks a URL.
    init(_ text: String) throws(KeySetURLFault) {
        try self.init(URL(string: text, encodingInvalidCharacters: false))
    }

    private init(_ url: URL?) throws(KeySetURLFault) {
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true), !host.isEmpty
        else { throw .malformed }
        guard scheme == "https" || scheme == "http" && Self.isLoopback(host) else { throw .insecure }
        guard url.user == nil, url.password == nil, url.fragment == nil else { throw .surplus }
        self.url = url
    }

    /// The URL that an answer redirects to; one that leaves https is refused.
    func redirection(to location: String) throws(KeySetURLFault) -> KeySetURL {
        let target = URL(string: location, relativeTo: url)
        let next = try KeySetURL(target?.absoluteURL)
        guard next.isSecure || !isSecure else { throw .insecure }
        return next
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host.lowercased()
        guard name != "localhost", name != "::1" else { return true }
        return name.hasPrefix("127.") && (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }
}
