import DeepLinkCore
import DeepLinkStorage

/// The use of a link, as far as it decides which counts it adds to: its caller's kind, its way, and its short link.
package struct LinkUse: Sendable {
    /// The signs of a use.
    package struct Signs: OptionSet, Sendable {
        package let rawValue: UInt8

        /// Creates a set of signs.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// An end user's own token asked.
        package static let ofUser = Signs(rawValue: 1)

        /// The caller sent the version of an app.
        package static let ofApp = Signs(rawValue: 2)

        /// The user was at a gate before.
        package static let passed = Signs(rawValue: 4)

        /// The link came over the installation of the app.
        package static let arrived = Signs(rawValue: 8)
    }

    /// The signs.
    package let signs: Signs

    /// The short link that was named; `nil` for any other link.
    package let shortLink: ShortLinkMark?

    /// Creates a use.
    package init(_ signs: Signs, of shortLink: ShortLinkMark? = nil) {
        self.signs = signs
        self.shortLink = shortLink
    }

    /// Whether an app used the link; a service that resolves by itself says nothing about a person.
    package var isOfApp: Bool { !signs.isDisjoint(with: [.ofUser, .ofApp]) }

    /// The counts of the use if it opened the link.
    var opened: OutcomeCounts.Lanes {
        var lanes = Self.opening
        if signs.contains(.ofUser) { lanes &+= Self.openingByUser }
        if signs.contains(.passed) { lanes &+= Self.passing }
        if signs.contains(.arrived) { lanes &+= Self.arriving }
        return lanes
    }

    private static let opening = OutcomeCounts.one(.opened)
    private static let openingByUser = OutcomeCounts.one(.openedByUsers)
    private static let passing = OutcomeCounts.one(.passed)
    private static let arriving = OutcomeCounts.one(.arrived)
}
