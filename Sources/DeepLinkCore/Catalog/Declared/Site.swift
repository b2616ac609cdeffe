/// What a catalog says of the web site that its links are part of.
public struct Site: Hashable, Sendable {
    /// The name of the site, on pages and previews.
    public let name: LocalizedText?

    /// The address where a browser may go on; without one, the page is the end.
    public let fallback: String?

    /// The hosts where fallbacks and images may lead, in lower case.
    public let hosts: [String]

    /// The site of a catalog that says nothing of it.
    public static let unnamed = Site()

    /// Creates a description from its parts.
    public init(name: LocalizedText? = nil, fallback: String? = nil, hosts: [String] = []) {
        self.name = name
        self.fallback = fallback
        self.hosts = hosts
    }

    /// Compares the parts byte by byte.
    public static func == (left: Site, right: Site) -> Bool {
        left.name == right.name && left.fallback?.bytewise == right.fallback?.bytewise
            && left.hosts.map(\.bytewise) == right.hosts.map(\.bytewise)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
