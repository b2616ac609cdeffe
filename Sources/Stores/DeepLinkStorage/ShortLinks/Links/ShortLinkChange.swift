package import DeepLinkCore

/// One change of a short link in its history.
///
/// The first change is its creation.
///
/// The history has neither host nor user. The current ones of the link apply.
package struct ShortLinkChange: Hashable, Sendable {
    /// The version that the change made.
    ///
    /// The versions of one link increase by one.
    package let version: Int

    /// The destination after the change.
    package let target: ShortLinkTarget

    /// The label after the change, or `nil` if there is none.
    package let label: ShortLinkLabel?

    /// The end after the change, or `nil` if there is none.
    package let expires: Timestamp?

    /// Whether the link was withdrawn after the change.
    package let isWithdrawn: Bool

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// Creates a change.
    package init(
        version: Int,
        target: ShortLinkTarget,
        label: ShortLinkLabel?,
        expires: Timestamp?,
        isWithdrawn: Bool,
        at: Timestamp,
        author: String
    ) {
        self.version = version
        self.target = target
        self.label = label
        self.expires = expires
        self.isWithdrawn = isWithdrawn
        self.at = at
        self.author = author
    }

    /// Creates the change that resulted in the given contents.
    package init(version: Int, contents: ShortLinkContents, at time: Timestamp, author: String) {
        self.init(
            version: version,
            target: contents.target,
            label: contents.label,
            expires: contents.expires,
            isWithdrawn: contents.isWithdrawn,
            at: time,
            author: author
        )
    }
    package static func == (left: ShortLinkChange, right: ShortLinkChange) -> Bool {
        left.version == right.version && left.target == right.target && left.label == right.label
            && left.expires == right.expires && left.isWithdrawn == right.isWithdrawn && left.at == right.at
            && left.author.bytewise == right.author.bytewise
    }

    /// Hashes the version and the destination.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(target)
    }
}
