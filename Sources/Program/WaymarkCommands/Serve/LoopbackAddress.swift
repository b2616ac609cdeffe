import DeepLinkCore

/// The loopback addresses, which other machines cannot reach.
enum LoopbackAddress {
    /// Returns whether listening on a host lets only processes of this machine connect.
    static func contains(_ host: String) -> Bool {
        host.bytewise == "localhost" || host.bytewise == "::1"
            || (host.utf8.starts(with: "127.".utf8)
                && host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
    }
}
