import DeepLinkCore
import NIOCore

/// The host name of an authority, `name:port` or `[address]:port`, which finds the kind of the name.
struct HostName {
    private let name: String

    /// Whether the name is in brackets, as IPv6 addresses are.
    private let isBracketed: Bool

    /// Removes the port; `nil` if the authority isn't a host name or address with at most a port.
    init?(authority: String) {
        let rest: Substring.UTF8View
        let bytes = Substring(authority).utf8
        isBracketed = bytes.first == UInt8(ascii: "[")
        if isBracketed {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            name = String(Substring(bytes[..<end].dropFirst()))
            rest = bytes[end...].dropFirst()
        } else {
            let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            name = String(Substring(bytes[..<end])).lowercased()
            rest = bytes[end...]
            guard name.utf8.allSatisfy(Self.isNameByte) else { return nil }
        }
        guard !name.isEmpty, rest.isEmpty || Self.isPort(rest) else { return nil }
    }

    /// Whether the name is `localhost`, one below it (RFC 6761 §6.3), or an IP address.
    var isLocal: Bool {
        if (try? SocketAddress(ipAddress: name, port: 0)) != nil {
            return isBracketed == name.utf8.contains(UInt8(ascii: ":"))
        }
        return !isBracketed
            && (name.bytewise == "localhost" || name.utf8.suffix(10).elementsEqual(".localhost".utf8))
    }

    /// Whether the name is `localhost`, one below it, or a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3): a
    /// page of another host never has such a name.
    var isLoopback: Bool {
        guard isLocal else { return false }
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { return true }
        return address.isLoopback
    }

    /// Whether the name has a letter and no dot: such names are those of private networks, such as a container's.
    var isSingleLabel: Bool {
        !isBracketed && !name.utf8.contains(UInt8(ascii: ".")) && name.utf8.contains { !ASCII.isDigit($0) && $0 > 0x2D }
    }

    /// Returns whether bytes are a colon and a port in decimal digits (RFC 3986 §3.2.3), without a sign.
    private static func isPort(_ bytes: Substring.UTF8View) -> Bool {
        bytes.first == UInt8(ascii: ":") && bytes.dropFirst().allSatisfy(ASCII.isDigit)
            && UInt16(Substring(bytes.dropFirst())) != nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
