import NIOCore

/// Is the host name of an authority, `name:port` or `[address]:port`, to tell what kind of name it is.
struct HostName {
    private let name: String

    /// Whether the name stood in brackets, as IPv6 addresses do.
    private let isBracketed: Bool

    /// Cuts the port off; `nil` where the authority is no host name or address with at most a port.
    init?(authority: String) {
        let rest: Substring
        isBracketed = authority.hasPrefix("[")
        if isBracketed {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = String(authority[..<end].dropFirst())
            rest = authority[end...].dropFirst()
        } else {
            name = authority.prefix { $0 != ":" }.lowercased()
            rest = authority.dropFirst(name.count)
            guard name.utf8.allSatisfy(Self.isNameByte) else { return nil }
        }
        guard !name.isEmpty, rest.isEmpty || (rest.hasPrefix(":") && UInt16(rest.dropFirst()) != nil)
        else {
            return nil
        }
    }

    /// Whether the name is `localhost`, one below it (RFC 6761 §6.3), or an IP address.
    var isLocal: Bool {
        if (try? SocketAddress(ipAddress: name, port: 0)) != nil { return isBracketed == name.contains(":") }
        return !isBracketed && (name == "localhost" || name.hasSuffix(".localhost"))
    }

    /// Whether the name has a letter and no dot: such names are those of private networks, such as a container's.
    var isSingleLabel: Bool { !isBracketed && !name.contains(".") && name.contains(where: \.isLetter) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
