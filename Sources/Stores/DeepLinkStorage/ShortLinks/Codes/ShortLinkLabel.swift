package import DeepLinkCore

/// A word by which short links are listed and counted together, as of one campaign: 1 to 64 bytes of UTF-8 without control
/// characters, compared as bytes.
package struct ShortLinkLabel: Hashable, Sendable {
    /// The most bytes of a label.
    package static let maximumByteCount = 64

    /// The most labels in use: those that some short link has, withdrawn ones included.
    package static let maximumCount = 10_000

    /// The label as text.
    package let text: String

    /// Checks a text; `nil` if it is empty, too long, or holds a control character (U+0000–001F, U+007F–009F).
    package init?(_ text: String) {
        guard ShortLinkText.isAllowed(text, upTo: Self.maximumByteCount) else { return nil }
        self.text = text
    }

    /// Checks the label of a new link; `nil` also for `…`, under which counts add up the labels beyond their bound.
    package init?(new text: String) {
        guard text.bytewise != Self.others else { return nil }
        self.init(text)
    }

    /// The text of counts that stands for all labels beyond their bound.
    package static let others: ByteText = "…"

    /// Compares the bytes.
    package static func == (left: ShortLinkLabel, right: ShortLinkLabel) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}
