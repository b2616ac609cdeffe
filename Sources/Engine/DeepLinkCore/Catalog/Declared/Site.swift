/// The web site that a catalog's links belong to.
package struct Site: Hashable, Sendable {
    /// The name of the site, on pages and previews.
    package var name: LocalizedText?

    /// The address to which a browser may continue from a page.
    ///
    /// Without it, the page lacks an onward link.
    package var fallback: Fallback?

    /// The allowed hosts of fallbacks and images, in lower case.
    package var hosts: [String]

    /// The https address of the site's icon.
    package var icon: String?

    /// The color of a page's most important button.
    package var color: AccentColor?

    /// The color of the text on ``color``, or `nil` for black or white, depending on the higher contrast.
    package var onColor: AccentColor?

    /// The keys of unused query pairs that a page passes on, or `nil` for the standard keys.
    package var keep: KeptKeys?

    /// Additional names of programs that make previews.
    package var previewBots: [String]

    /// The maximum age of a page in caches, in seconds, or 0 forbids caching.
    package var maxAge: Int

    /// The site of a catalog that does not declare one.
    package static let unnamed = Site()

    /// The maximum of ``maxAge``: a year, although RFC 9111 §5.2.2.1 sets no limit.
    package static let maximumAge = 31_536_000

    /// Creates a site from its parts.
    package init(
        name: LocalizedText? = nil,
        fallback: Fallback? = nil,
        hosts: [String] = [],
        icon: String? = nil,
        color: AccentColor? = nil,
        onColor: AccentColor? = nil,
        keep: KeptKeys? = nil,
        previewBots: [String] = [],
        maxAge: Int = 0
    ) {
        self.name = name
        self.fallback = fallback
        self.hosts = hosts
        self.icon = icon
        self.color = color
        self.onColor = onColor
        self.keep = keep
        self.previewBots = previewBots
        self.maxAge = maxAge
    }

    /// Compares the parts, texts byte by byte.
    package static func == (left: Site, right: Site) -> Bool {
        left.name == right.name && left.fallback == right.fallback
            && left.hosts.map(\.bytewise) == right.hosts.map(\.bytewise)
            && left.icon?.bytewise == right.icon?.bytewise && left.color == right.color && left.onColor == right.onColor
            && left.keep == right.keep
            && left.previewBots.map(\.bytewise) == right.previewBots.map(\.bytewise) && left.maxAge == right.maxAge
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
