import DeepLinkCore
import DeepLinkFormats

/// The way on which the link of a continuation came to the app, as far as the counts of its redemption need it.
///
/// A token has members for it only if the link came by a short link, or over the installation of the app.
package struct ContinuationWay: Sendable {
    /// The code of the short link; `nil` for any other link.
    package let code: String?

    /// The label of the short link; `nil` for none.
    package let label: String?

    /// Whether the short link is about a user.
    package let isAboutUser: Bool

    /// Whether the link came over the installation of the app.
    package let hasArrived: Bool

    /// Creates a way; by itself, that of a plain link.
    package init(code: String? = nil, label: String? = nil, isAboutUser: Bool = false, hasArrived: Bool = false) {
        self.code = code
        self.label = label
        self.isAboutUser = isAboutUser
        self.hasArrived = hasArrived
    }

    /// Whether the link is no short link, and came over no installation.
    var isPlain: Bool { code == nil && !hasArrived }

    /// Reads the members of a token's content.
    ///
    /// - Throws: `Problem` if one is of another type than it should be.
    init(_ body: JSONObjectBody) throws(Problem) {
        self.init(
            code: try body.string("code"),
            label: try body.string("label"),
            isAboutUser: try body.bool("about") ?? false,
            hasArrived: try body.bool("arrived") ?? false
        )
    }

    /// The members of a token's content, which follow others.
    var members: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let code {
                writer.key("code")
                writer.string(code)
            }
            if let label {
                writer.key("label")
                writer.string(label)
            }
            for (name, isSo) in [("about", isAboutUser), ("arrived", hasArrived)] where isSo {
                writer.key(name)
                writer.value(.bool(true))
            }
        }
        return [UInt8(ascii: ",")] + writer.bytes.dropFirst().dropLast()
    }
}
