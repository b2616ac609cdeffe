/// The picture of a route, on its page and its preview.
package struct PageImage: Hashable, Sendable {
    /// The https address.
    package let address: String

    /// The width in pixels; `nil` if it is not declared.
    package let width: Int?

    /// The height in pixels; `nil` if it is not declared.
    package let height: Int?

    /// The description for people who do not see the picture.
    package let alternative: LocalizedText?

    /// Creates a picture from its parts.
    package init(_ address: String, width: Int? = nil, height: Int? = nil, alternative: LocalizedText? = nil) {
        self.address = address
        self.width = width
        self.height = height
        self.alternative = alternative
    }

    /// Compares the parts, the address byte by byte.
    package static func == (left: PageImage, right: PageImage) -> Bool {
        left.address.bytewise == right.address.bytewise && left.width == right.width && left.height == right.height
            && left.alternative == right.alternative
    }

    /// Hashes the address.
    package func hash(into hasher: inout Hasher) { hasher.combine(address.bytewise) }
}
