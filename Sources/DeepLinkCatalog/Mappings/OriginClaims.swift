import DeepLinkCore

/// The links that origins claim: those of a scheme, a prefix and a host.
struct OriginClaims {
    /// The part of links in which origins can claim the same ones.
    private struct Place: Hashable {
        let scheme: ByteText
        let pathPrefix: [ByteText]
    }

    /// The claims of the origins of one place.
    private struct Claims {
        private var hosts: Set<ByteText> = []

        /// Whether some origin lists no hosts.
        private var isWithoutHosts = false

        /// Whether some origin claims the links of every host.
        private var isOfAllHosts = false

        mutating func add(_ origin: Origin) -> Bool {
            let hosts = origin.hosts.map(\.bytewise)
            let isOfAllHosts = !origin.isWeb && origin.authority != .hosts
            let isFirst = self.hosts.isEmpty && !isWithoutHosts
            let isFree =
                isFirst
                || !self.isOfAllHosts && !(isWithoutHosts && hosts.isEmpty) && self.hosts.isDisjoint(with: hosts)
            self.hosts.formUnion(hosts)
            isWithoutHosts = isWithoutHosts || hosts.isEmpty
            self.isOfAllHosts = self.isOfAllHosts || isOfAllHosts
            return isOfAllHosts ? isFirst : isFree
        }
    }

    private var claims: [Place: Claims] = [:]

    /// Adds the claims of an origin.
    ///
    /// - Returns: whether no link could belong to both the origin and an earlier one of the same precedence.
    mutating func add(_ origin: Origin) -> Bool {
        let place = Place(scheme: origin.scheme.bytewise, pathPrefix: origin.pathPrefix.map(\.bytewise))
        return claims[place, default: Claims()].add(origin)
    }
}
