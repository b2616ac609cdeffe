import DeepLinkCore
import NIOCore

extension SocketAddress {
    /// Whether only processes of this machine have the address: 127.0.0.0/8 (RFC 1122 §3.2.1.3) or ::1 (RFC 4291 §2.5.3).
    var isLoopback: Bool {
        guard let text = ipAddress else { return true }
        return text.utf8.starts(with: "127.".utf8) || text.bytewise == "::1"
    }
}
