import DeepLinkCore
import DeepLinkStorage

/// The parts of a link's use that select its counters: flags for its caller and its path, and its short link.
package struct LinkUse: Sendable {
    /// The flags of a use.
    package struct Signs: OptionSet, Sendable {
        package let rawValue: UInt8

        /// Creates a set of flags.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The request was authenticated by an end user's own token.
        package static let ofUser = Signs(rawValue: 1)

        /// The caller sent the version of an app.
        package static let ofApp = Signs(rawValue: 2)

        /// The user was at a gate before.
        package static let passed = Signs(rawValue: 4)

        /// The link is a deferred deep link.
        package static let arrived = Signs(rawValue: 8)
    }

    /// The flags of this use.
    package let signs: Signs

    /// The short link in the request, or `nil` for any other link.
    package let shortLink: ShortLinkMark?

    /// Creates a use from its flags and its short link.
    package init(_ signs: Signs, of shortLink: ShortLinkMark? = nil) {
        self.signs = signs
        self.shortLink = shortLink
    }

    /// Whether an app used the link.
    ///
    /// A service that resolves links itself says nothing about a person.
    package var isOfApp: Bool { !signs.isDisjoint(with: [.ofUser, .ofApp]) }

    /// The counters to increment if the use opened the link.
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
