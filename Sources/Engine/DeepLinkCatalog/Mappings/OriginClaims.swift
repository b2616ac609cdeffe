import DeepLinkCore

/// The links that origins claim, by scheme, prefix and host.
struct OriginClaims {
    /// A scheme and a prefix: only origins that have both in common can claim the same links.
    private struct Place: Hashable {
        let scheme: ByteText
        let pathPrefix: [ByteText]
    }

    /// The claims of the origins of one place, each with the `authority` of an origin that makes it.
    private struct Claims {
        private var hosts: [ByteText: Origin.Authority] = [:]

        /// The origin that lists no hosts.
        private var withoutHosts: Origin.Authority?

        /// The origin that claims the links of every host.
        private var allHosts: Origin.Authority?

        mutating func add(_ origin: Origin) -> Origin.Authority? {
            let hosts = origin.hosts.map(\.bytewise)
            let named = hosts.compactMap { self.hosts[$0] }.first
            let isOfAllHosts = !origin.isWeb && origin.authority != .hosts
            let rival =
                isOfAllHosts
                ? withoutHosts ?? self.hosts.values.first
                : allHosts ?? (hosts.isEmpty ? withoutHosts : nil) ?? named
            for host in hosts { self.hosts[host] = origin.authority }
            if hosts.isEmpty { withoutHosts = withoutHosts ?? origin.authority }
            if isOfAllHosts { allHosts = allHosts ?? origin.authority }
            return rival
        }
    }

    private var claims: [Place: Claims] = [:]

    /// Adds the claims of an origin.
    ///
    /// - Returns: the `authority` of an earlier origin that claims some of the same links with the same precedence, or
    ///   `nil` if there is none.
    mutating func add(_ origin: Origin) -> Origin.Authority? {
        let place = Place(scheme: origin.scheme.bytewise, pathPrefix: origin.pathPrefix.map(\.bytewise))
        return claims[place, default: Claims()].add(origin)
    }
}
