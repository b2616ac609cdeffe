import DeepLinkCore
import NIOCore

/// The address that requests come from, as far as it tells callers apart: of IPv6 the first half, since whoever has one
/// address there has as many as they like (RFC 4291 §2.5.4).
struct CallerAddress: Hashable {
    private let bits: UInt64
    private let isOld: Bool

    /// Reads an address; `nil` where it is none of the Internet.
    init?(_ address: SocketAddress) {
        let bytes: [UInt8]
        switch address {
        // What of these structures comes before the address: family and port; of IPv6, the label of the flow too.
        case .v4(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: return nil
        }
        // An IPv4 address, as a socket of both kinds has it (RFC 4291 §2.5.5.2).
        let isMapped = bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] & bytes[11] == 0xFF
        isOld = bytes.count == 4 || isMapped
        bits = (isMapped ? bytes[12...] : bytes.prefix(8)).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the address is of this machine or of a private network (RFC 1918, RFC 4193), as a proxy's in front is.
    private var isNearby: Bool {
        guard isOld else { return bits >> 57 == 0xFC >> 1 || bits == 0 }
        return bits >> 24 == 127 || bits >> 24 == 10 || bits >> 20 == 0xAC1 || bits >> 16 == 0xC0A8
    }

    /// Finds the address of whoever sends a request: the other side of the connection, or where that is nearby, the last
    /// that `X-Forwarded-For` names, which the proxy there has added.
    static func ofCaller(_ peer: SocketAddress?, forwardedFor: String?) -> CallerAddress? {
        guard let own = peer.flatMap(CallerAddress.init) else { return nil }
        guard own.isNearby, let list = forwardedFor else { return own }
        let comma = list.utf8.lastIndex(of: UInt8(ascii: ","))
        let last = comma.map { list.utf8[list.utf8.index(after: $0)...] } ?? list.utf8[...]
        let text = String(Substring(last.drop { $0 == UInt8(ascii: " ") }))
        return (try? SocketAddress(ipAddress: text, port: 0)).flatMap(CallerAddress.init) ?? own
    }
}
