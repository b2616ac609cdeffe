/// What a route is to browsers and previews.
public struct RoutePage: Hashable, Sendable {
    /// The place where a link to a route is opened.
    public enum Opens: String, CaseIterable, Sendable {
        /// In the app, where it is installed.
        case app

        /// In the browser.
        case web
    }

    /// The title of the page.
    public let title: LocalizedText?

    /// The description of the page.
    public let description: LocalizedText?

    /// The address of a picture for previews.
    public let image: String?

    /// The address where a browser goes that comes without the app.
    public let fallback: FallbackPattern?

    /// The place where links to the route are opened.
    public let opens: Opens

    /// The place where the catalog says so.
    public let location: SourceLocation

    /// Creates a description from its parts.
    public init(
        title: LocalizedText? = nil,
        description: LocalizedText? = nil,
        image: String? = nil,
        fallback: FallbackPattern? = nil,
        opens: Opens = .app,
        at location: SourceLocation
    ) {
        self.title = title
        self.description = description
        self.image = image
        self.fallback = fallback
        self.opens = opens
        self.location = location
    }

    /// Compares what is said, not where.
    public static func == (left: RoutePage, right: RoutePage) -> Bool {
        left.title == right.title && left.description == right.description
            && left.image?.bytewise == right.image?.bytewise && left.fallback == right.fallback
            && left.opens == right.opens
    }

    /// Hashes the title.
    public func hash(into hasher: inout Hasher) { hasher.combine(title) }
}
