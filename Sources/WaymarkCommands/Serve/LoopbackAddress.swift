/// Tells addresses of this machine alone from those that others can reach.
enum LoopbackAddress {
    /// Whether listening on a host lets only processes of this machine connect.
    static func contains(_ host: String) -> Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.allSatisfy { "0123456789.".contains($0) })
    }
}
