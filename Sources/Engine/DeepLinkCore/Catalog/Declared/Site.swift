/// The web site that a catalog's links belong to.
package struct Site: Hashable, Sendable {
    /// The name of the site, on pages and previews.
    package var name: LocalizedText?

    /// The address to which a browser may continue from a page.
    ///
    /// Without it, the page lacks an onward link.
    package var fallback: Fallback?

    /// The allowed hosts of fallbacks and images, in lower case.
    package var hosts: [String] = []

    /// The https address of the site's icon.
    package var icon: String?

    /// The color of a page's most important button.
    package var color: AccentColor?

    /// The color of the text on ``color``, or `nil` for black or white, depending on the higher contrast.
    package var onColor: AccentColor?

    /// The keys of unused query pairs that a page passes on, or `nil` for the standard keys.
    package var keep: KeptKeys?

    /// Additional names of programs that make previews.
    package var previewBots: [String] = []

    /// The maximum age of a page in caches, in seconds, or 0 forbids caching.
    package var maxAge = 0

    /// The site of a catalog that does not declare one.
    package static let unnamed = Site()

    /// The maximum of ``maxAge``: a year, although RFC 9111 §5.2.2.1 sets no limit.
    package static let maximumAge = 31_536_000

    /// Creates a site that declares nothing.
    package init() {}

    /// Compares the parts, texts byte by byte.
    package static func == (left: Site, right: Site) -> Bool {
        left.name == right.name && left.fallback == right.fallback
            && left.hosts.map { $0.bytewise } == right.hosts.map { $0.bytewise }
            && left.icon?.bytewise == right.icon?.bytewise && left.color == right.color && left.onColor == right.onColor
            && left.keep == right.keep
            && left.previewBots.map { $0.bytewise } == right.previewBots.map { $0.bytewise }
            && left.maxAge == right.maxAge
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A color of a page, in sRGB.
package struct AccentColor: Hashable, Sendable {
    /// The parts, from 0 to 255: red, green and blue.
    package let parts: [UInt8]

    /// Reads `#rrggbb` or `#rgb`, or returns `nil` for any other text.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst().compactMap(ASCII.hexValue)
        guard text.utf8.first == ASCII.hash, digits.count == text.utf8.count - 1 else { return nil }
        switch digits.count {
        case 3: parts = digits.map { $0 * 17 }
        case 6: parts = stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        default: return nil
        }
    }

    /// The minimum contrast between text and background (WCAG 2.2 §1.4.3).
    package static let textContrast = 4.5

    /// The minimum contrast between large text and its background.
    package static let largeTextContrast = 3.0

    /// The color as style sheets write it: `#0b57d0`.
    package var text: String { "#" + parts.hexadecimal }

    /// The relative luminance (WCAG 2.2).
    ///
    /// The power of 2.4 is computed without Foundation: the twelfth power of the fifth root.
    package var luminance: Double {
        let linear = parts.map { part -> Double in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : Self.raised((value + 0.055) / 1.055)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// The contrast with white text and with black text (WCAG 2.2): one is always above 4.58, as their product is 21.
    package var contrasts: (white: Double, black: Double) { (1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05) }

    /// Returns the contrast with another color, from 1 to 21 (WCAG 2.2).
    package func contrast(with other: AccentColor) -> Double {
        let (one, two) = (luminance + 0.05, other.luminance + 0.05)
        return max(one, two) / min(one, two)
    }

    /// Returns a number between 0 and 1 to the power of 2.4.
    private static func raised(_ base: Double) -> Double {
        var root = 1.0
        // Newton's method for the fifth root, which converges from above.
        for _ in 0..<40 { root -= (root * root * root * root * root - base) / (5 * root * root * root * root) }
        var power = 1.0
        for _ in 0..<12 { power *= root }
        return power
    }
}
