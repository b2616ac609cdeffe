/// The short link that a request named, as counts see it: neither its target nor the user that it is about.
package struct ShortLinkMark: Hashable, Sendable {
    /// The code as it is stored, which may differ from the one that was sent.
    package let code: String

    /// The label of the link; `nil` for none.
    package let label: String?

    /// Whether the link is about a user, so that its openings are counted under its label, and never under its code.
    package let isAboutUser: Bool

    /// Creates the mark of a short link.
    package init(code: String, label: String?, isAboutUser: Bool) {
        self.code = code
        self.label = label
        self.isAboutUser = isAboutUser
    }
}
