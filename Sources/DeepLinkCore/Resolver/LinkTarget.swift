/// The link that is resolved in place of a short link.
///
/// The engine knows no codes: the caller finds the target of a code and gives it to the engine with the request.
package final class LinkTarget: Sendable {
    /// The link.
    package let link: DeepLink

    /// Whether the short link stands for the signature that the target needs.
    package let isSigned: Bool

    /// Creates a target.
    package init(_ link: DeepLink, isSigned: Bool = false) {
        self.link = link
        self.isSigned = isSigned
    }
}

extension LinkTarget: Hashable {
    /// Compares the links, and whether they are signed.
    package static func == (left: LinkTarget, right: LinkTarget) -> Bool {
        left.link == right.link && left.isSigned == right.isSigned
    }

    /// Hashes the link.
    package func hash(into hasher: inout Hasher) { hasher.combine(link) }
}
