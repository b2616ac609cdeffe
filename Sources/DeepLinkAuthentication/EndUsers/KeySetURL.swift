import DeepLinkCore
import Foundation
import NIOCore

/// Is a URL that keys may be fetched from: https, or http where the host is this machine.
struct KeySetURL: Sendable {
    private let url: URL

    /// The URL as the HTTP client takes it.
    var text: String { url.absoluteString }

    /// The URL without its query, to be logged.
    var name: String { String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") })) }

    /// Whether the connection is secured by TLS.
    var isSecure: Bool { url.scheme.map { ASCII.equalIgnoringCase($0.utf8, "https".utf8) } == true }

    /// Checks a URL.
    init(_ text: String) throws(KeySetURLFault) {
        try self.init(URL(string: text, encodingInvalidCharacters: false))
    }

    private init(_ url: URL?) throws(KeySetURLFault) {
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true),
            !host.isEmpty
        else { throw .malformed }
        guard scheme.bytewise == "https" || scheme.bytewise == "http" && Self.isLoopback(host) else { throw .insecure }
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
        let bytes = host.lowercased().utf8
        let isBracketed = bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
        let name = String(Substring(isBracketed ? bytes.dropFirst().dropLast() : bytes[...]))
        guard name.bytewise != "localhost", name.bytewise != "::1" else { return true }
        return name.utf8.starts(with: "127.".utf8) && (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }
}
