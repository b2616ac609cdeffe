import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

/// A short link that leads somewhere by a catalog.
///
/// A class, since each answer that is kept refers to it.
final class FollowedShortLink: Sendable {
    /// The link as it was stored.
    let link: ShortLink

    /// The link that is resolved in its place.
    let target: LinkTarget

    /// Whether the link may have been changed: the database is unreachable.
    let isStale: Bool

    /// The mark by which uses of the link are counted.
    let mark: ShortLinkMark

    /// Follows a link to a target.
    init(_ link: ShortLink, to target: DeepLink, isStale: Bool) {
        self.link = link
        self.target = LinkTarget(target, isSigned: link.contents.signature != nil)
        self.isStale = isStale
        mark = ShortLinkMark(link)
    }
}

extension ShortLinkMark {
    /// Creates the mark of a stored link.
    init(_ link: ShortLink) {
        self.init(code: link.code.text, label: link.contents.label?.text, isAboutUser: link.contents.about != nil)
    }
}
