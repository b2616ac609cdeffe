/// The presentation of a route in browsers and previews.
package struct RoutePage: Hashable, Sendable {
    /// The program that opens links to a route.
    package enum Opens: String, CaseIterable, Sendable {
        /// The app, if it is installed.
        case app

        /// The browser.
        case web
    }

    /// The title of the page.
    package let title: LocalizedText?

    /// The description of the page.
    package let description: LocalizedText?

    /// The picture of the page and its preview.
    package let image: PageImage?

    /// The addresses for browsers on devices without the app.
    package let fallback: Fallback?

    /// The program that opens links to the route.
    package let opens: Opens

    /// Whether a link to the route is carried through the app's installation, or `nil` if the catalog does not say.
    package let carries: Bool?

    /// The location of the declaration.
    package let location: SourceLocation

    /// Creates a page from its parts.
    package init(
        title: LocalizedText? = nil,
        description: LocalizedText? = nil,
        image: PageImage? = nil,
        fallback: Fallback? = nil,
        opens: Opens = .app,
        carries: Bool? = nil,
        at location: SourceLocation
    ) {
        self.title = title
        self.description = description
        self.image = image
        self.fallback = fallback
        self.opens = opens
        self.carries = carries
        self.location = location
    }

    /// Compares everything but the location.
    package static func == (left: RoutePage, right: RoutePage) -> Bool {
        left.title == right.title && left.description == right.description
            && left.image == right.image && left.fallback == right.fallback
            && left.opens == right.opens && left.carries == right.carries
    }

    /// Hashes the title.
    package func hash(into hasher: inout Hasher) { hasher.combine(title) }
}

/// A text in one or several languages.
package struct LocalizedText: Hashable, Sendable {
    /// The text in one language.
    package struct Version: Hashable, Sendable {
        /// The language tag (RFC 5646), as the catalog writes it, empty if it has none.
        package let language: String

        /// The text itself, in that language.
        package let text: String

        /// Creates a version from a language and its text.
        package init(language: String, text: String) {
            self.language = language
            self.text = text
        }

        /// Compares both parts byte by byte.
        package static func == (left: Version, right: Version) -> Bool {
            left.language.bytewise == right.language.bytewise && left.text.bytewise == right.text.bytewise
        }

        /// Hashes the language.
        package func hash(into hasher: inout Hasher) { hasher.combine(language.bytewise) }
    }

    /// The versions, in the order of the file: at least one, the default language first.
    package let versions: [Version]

    /// Creates a text from its versions, or returns `nil` if there are none.
    package init?(_ versions: [Version]) {
        guard !versions.isEmpty else { return nil }
        self.versions = versions
    }

    /// Creates a text without a language.
    package init(_ text: String) {
        versions = [Version(language: "", text: text)]
    }
}

/// The picture of a route, on its page and its preview.
package struct PageImage: Hashable, Sendable {
    /// The https address.
    package let address: String

    /// The width in pixels, or `nil` if it is not declared.
    package let width: Int?

    /// The height in pixels, or `nil` if it is not declared.
    package let height: Int?

    /// The alternative text of the picture.
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
