/// The presentation of a route in browsers and previews.
package struct RoutePage: Hashable, Sendable {
    /// The program in which a link to a route opens.
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

    /// The program in which links to the route open.
    package let opens: Opens

    /// Whether a link to the route is carried over the app's installation; `nil` if the catalog does not say.
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
