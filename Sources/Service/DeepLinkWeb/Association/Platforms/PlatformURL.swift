import DeepLinkCore

/// A URL as phones split it before they match it, without further parsing.
///
/// It isn't the parser of links (decision record 2): dot segments, raw UTF-8, user names and ports are accepted, and
/// nothing is decoded.
package struct PlatformURL: Sendable {
    /// The scheme, in lower case.
    package let scheme: String

    /// The host, in lower case.
    package let host: String

    /// The port as written, with its colon, or an empty text without one.
    let port: String

    /// The path as written, or an empty text without one.
    package let path: String

    /// The query as written, without its question mark, or `nil` without one.
    package let query: String?

    /// The fragment as written, without its `#`, or `nil` without one.
    package let fragment: String?

    /// Splits a text (RFC 3986 §3), or returns `nil` without a scheme or a host.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        while let byte = rest.first, byte <= 0x20 { rest = rest.dropFirst() }
        while let byte = rest.last, byte <= 0x20 { rest = rest.dropLast() }
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = rest[..<colon]
        guard let first = scheme.first, Self.isLetter(first), scheme.allSatisfy(Self.isSchemeByte) else { return nil }
        rest = rest[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        rest = rest.dropFirst(2)
        let authorityEnd = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        var authority = rest[..<authorityEnd]
        rest = rest[authorityEnd...]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        let host: ArraySlice<UInt8>
        if authority.first == UInt8(ascii: "["), let end = authority.firstIndex(of: UInt8(ascii: "]")) {
            host = authority[...end]
        } else {
            host = authority.prefix { $0 != UInt8(ascii: ":") }
        }
        guard !host.isEmpty else { return nil }
        port = Self.text(authority[host.endIndex...])
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Self.text(rest[(hash + 1)...])
            rest = rest[..<hash]
        } else {
            fragment = nil
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Self.text(rest[(mark + 1)...])
            rest = rest[..<mark]
        } else {
            query = nil
        }
        path = Self.text(rest)
        self.scheme = Self.text(scheme).lowercased()
        self.host = Self.text(host).lowercased()
    }

    /// Whether phones evaluate associations for the scheme.
    var isWeb: Bool { scheme.bytewise == "https" || scheme.bytewise == "http" }

    /// Returns whether a file's domain is the URL's host.
    ///
    /// An empty domain matches any host, and a port is ignored.
    func isOf(domain: String) -> Bool {
        guard !domain.isEmpty else { return true }
        let name = domain.lowercased().utf8
        let host = name.first == UInt8(ascii: "[") ? name[...] : name.prefix { $0 != UInt8(ascii: ":") }
        return host.elementsEqual(self.host.utf8)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || ASCII.isDigit(byte) || "+-.".utf8.contains(byte)
    }

    /// Decodes percent-encoded bytes.
    ///
    /// An invalid escape is kept, and invalid UTF-8 is replaced.
    static func decode(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "%")) else { return text }
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
                let low = ASCII.hexValue(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
