package import DeepLinkCore

/// An origin of a draft: schemes with the hosts that they may have.
package struct DraftOrigin: Sendable {
    /// The schemes, in lower case.
    package var schemes: [String]

    /// The hosts, in lower case.
    package var hosts: [String]

    /// The meaning of a link's authority.
    package var authority: Origin.Authority

    /// The segments before those of the routes.
    package var pathPrefix: [String]

    /// Whether the path goes on in the fragment.
    package var routesFragment: Bool

    /// Creates an origin from its parts.
    package init(
        schemes: [String],
        hosts: [String],
        authority: Origin.Authority = .hosts,
        pathPrefix: [String] = [],
        routesFragment: Bool = false
    ) {
        self.schemes = schemes
        self.hosts = hosts
        self.authority = authority
        self.pathPrefix = pathPrefix
        self.routesFragment = routesFragment
    }

    /// Whether the origin is of the web.
    var isWeb: Bool { schemes.contains { $0.bytewise == "https" || $0.bytewise == "http" } }

    /// Returns whether each scheme and host of another origin is one of this origin too.
    func covers(_ other: DraftOrigin) -> Bool {
        let schemes = Set(self.schemes.map(\.bytewise))
        let hosts = Set(self.hosts.map(\.bytewise))
        return other.schemes.allSatisfy { schemes.contains($0.bytewise) }
            && (!isWeb || other.hosts.allSatisfy { hosts.contains($0.bytewise) })
    }

    /// Joins origins that differ by their hosts alone, and puts them into a stable order: https, http, others.
    static func joined(_ origins: [DraftOrigin]) -> [DraftOrigin] {
        var groups: [ByteText: DraftOrigin] = [:]
        for origin in origins {
            let key = ByteText(
                "\(rank(origin)) \(origin.schemes.joined(separator: ",")) \(origin.authority.rawValue) "
                    + "\(origin.routesFragment) \(origin.pathPrefix.joined(separator: "/"))"
            )
            if groups[key] == nil { groups[key] = origin } else { groups[key]?.hosts += origin.hosts }
        }
        return groups.sorted { $0.key < $1.key }
            .map { _, origin in
                var origin = origin
                origin.hosts = Set(origin.hosts.map(\.bytewise)).sorted().map(\.string)
                return origin
            }
    }

    private static func rank(_ origin: DraftOrigin) -> Int {
        origin.isWeb ? (origin.authority == .segment ? 2 : origin.routesFragment ? 1 : 0) : 3
    }
}
