package import NIOCore

/// The address of a client as far as it distinguishes callers: the first half of an IPv6 address, since the owner of
/// one address has any number of others there (RFC 4291 §2.5.4).
package struct CallerAddress: Hashable, Sendable {
    private let bits: UInt64
    private let isOld: Bool

    /// Reads an address, or returns `nil` if it isn't an Internet address.
    init?(_ address: SocketAddress) {
        let bytes: [UInt8]
        switch address {
        // These bytes of the structures precede the address: family and port, and for IPv6 the flow label too.
        case .v4(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: return nil
        }
        // An IPv4 address, in the form of a dual-stack socket (RFC 4291 §2.5.5.2).
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] & bytes[11] == 0xFF
        isOld = bytes.count == 4 || isMapped
        bits = (isMapped ? bytes[12...] : bytes.prefix(8)).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the address belongs to this machine or a private network (RFC 1918, RFC 4193), as a reverse proxy's
    /// does.
    private var isNearby: Bool {
        guard isOld else { return bits >> 57 == 0xFC >> 1 || bits == 0 }
        return bits >> 24 == 127 || bits >> 24 == 10 || bits >> 20 == 0xAC1 || bits >> 16 == 0xC0A8
    }

    /// The maximum length of an address as text, with port, brackets and quotes, in bytes.
    private static let maximumTextByteCount = 64

    /// Returns the address of the client: the connection's peer, or for a nearby peer the last address in
    /// `X-Forwarded-For`, added by the proxy there.
    package static func ofCaller(_ peer: SocketAddress?, forwardedFor: String?) -> CallerAddress? {
        guard let own = peer.flatMap(CallerAddress.init) else { return nil }
        guard own.isNearby, let list = forwardedFor else { return own }
        return lastAddress(in: list).flatMap(CallerAddress.init) ?? own
    }

    /// Returns the whole address of the client as text, found as by ``ofCaller(_:forwardedFor:)``.
    package static func text(ofCaller peer: SocketAddress?, forwardedFor list: String?) -> String? {
        forwarded(by: peer, forwardedFor: list) ?? peer?.ipAddress
    }

    /// Returns the address that a nearby proxy states in `X-Forwarded-For`, or `nil` for other peers, and for a list
    /// without an address at its end.
    package static func forwarded(by peer: SocketAddress?, forwardedFor list: String?) -> String? {
        guard let list, let own = peer.flatMap(CallerAddress.init), own.isNearby else { return nil }
        return lastAddress(in: list)?.ipAddress
    }

    /// Reads the last address of a list in the forms that proxies write: plain, in brackets, with a port, or quoted
    /// (RFC 7239 §6).
    private static func lastAddress(in list: String) -> SocketAddress? {
        let comma = list.utf8.lastIndex(of: UInt8(ascii: ","))
        var text = trimmed(comma.map { list[list.utf8.index(after: $0)...] } ?? list[...])
        guard text.utf8.count <= maximumTextByteCount else { return nil }
        if text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\"") {
            text = text.dropFirst().dropLast()
        }
        if text.utf8.first == UInt8(ascii: "["), let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) {
            let rest = text[text.utf8.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            text = text[text.utf8.index(after: text.utf8.startIndex)..<end]
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), isPort(text[colon...]) {
            // This is the text after the only colon. An IPv6 address without brackets has more of them, and never a
            // port.
            text = text[..<colon]
        }
        return try? SocketAddress(ipAddress: String(text), port: 0)
    }

    /// Returns whether a text is a colon with a port.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: ":") && (1...5).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = text.utf8.firstIndex { !isSpace($0) } ?? text.endIndex
        let end = text.utf8[start...].lastIndex { !isSpace($0) }.map { text.utf8.index(after: $0) } ?? start
        return text[start..<end]
    }
}
