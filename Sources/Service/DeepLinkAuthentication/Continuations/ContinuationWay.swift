import DeepLinkCore
import DeepLinkFormats

/// The path by which the link of a continuation reached the app, for the counts of its redemption.
///
/// A token has members for it only if the link came from a short link or is a deferred deep link.
package struct ContinuationWay: Sendable {
    /// The code of the short link, or `nil` for any other link.
    package let code: String?

    /// The label of the short link, or `nil` if it has none.
    package let label: String?

    /// Whether the short link is about a user.
    package let isAboutUser: Bool

    /// Whether the link is a deferred deep link.
    package let hasArrived: Bool

    /// Creates a path, by default for a plain link.
    package init(code: String? = nil, label: String? = nil, isAboutUser: Bool = false, hasArrived: Bool = false) {
        self.code = code
        self.label = label
        self.isAboutUser = isAboutUser
        self.hasArrived = hasArrived
    }

    /// Whether the link is neither a short link nor a deferred deep link.
    var isPlain: Bool { code == nil && !hasArrived }

    /// Reads the members from a token's content.
    ///
    /// - Throws: `Problem` if a member has the wrong type.
    init(_ body: JSONObjectBody) throws(Problem) {
        self.init(
            code: try body.string("code"),
            label: try body.string("label"),
            isAboutUser: try body.bool("about") ?? false,
            hasArrived: try body.bool("arrived") ?? false
        )
    }

    /// Writes the members of a token's content.
    func write(to writer: inout JSONWriter) {
        if let code { writer.member("code", code) }
        if let label { writer.member("label", label) }
        if isAboutUser { writer.member("about", true) }
        if hasArrived { writer.member("arrived", true) }
    }
}
