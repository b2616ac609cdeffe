/// The web site that a catalog's links belong to.
package struct Site: Hashable, Sendable {
    /// The name of the site, on pages and previews.
    package let name: LocalizedText?

    /// The address to which a browser may continue; without one, the page has no onward link.
    package let fallback: String?

    /// The allowed hosts of fallbacks and images, in lower case.
    package let hosts: [String]

    /// The site of a catalog that does not declare one.
    package static let unnamed = Site()

    /// Creates a site from its parts.
    package init(name: LocalizedText? = nil, fallback: String? = nil, hosts: [String] = []) {
        self.name = name
        self.fallback = fallback
        self.hosts = hosts
    }

    /// Compares the parts byte by byte.
    package static func == (left: Site, right: Site) -> Bool {
        left.name == right.name && left.fallback?.bytewise == right.fallback?.bytewise
            && left.hosts.map(\.bytewise) == right.hosts.map(\.bytewise)
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
