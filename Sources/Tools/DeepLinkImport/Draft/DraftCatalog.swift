import DeepLinkCore

/// A drafted catalog: what is known of a team's links, with a comment at each guess.
package struct DraftCatalog: Sendable {
    /// The origins.
    package var origins: [DraftOrigin] = []

    /// Whether a plus in a query is a space, with the reason, or `nil` if no text is read from a query.
    var plusIsSpace: (value: Bool, comment: String)?

    /// The apps by name, or none for an app without a name.
    var apps: [DraftApp] = []

    /// The identifiers of Apple's apps.
    package var appleApps: [String] = []

    /// The packages of Android apps.
    package var androidPackages: [String] = []

    /// The edges at which links begin.
    var entry: [DraftEdge] = []

    /// The routes, in the order in which they are written.
    package var routes: [DraftRoute] = []
}

/// A screen of a drafted catalog, with its address.
package struct DraftRoute: Sendable {
    /// The unique name in the catalog.
    package let name: String

    /// The path, as catalogs write it, or `nil` if it is the name.
    var path: String

    /// The grounds for the path.
    var comment: String?

    /// Other paths with the same parameters, and their grounds.
    var aliases: [String] = []
    var aliasComment: String?

    /// The values that its links have.
    var parameters: [DraftParameter] = []

    /// The routes that it presents.
    var opens: [DraftEdge] = []

    /// The name of the app that alone has the route.
    var app: String?

    /// Links to the route.
    var links: [String] = []
}

/// An edge of a draft: a route with its presentation.
struct DraftEdge: Sendable {
    /// The name of the route.
    let route: String

    /// The presentation, as catalogs write it.
    let presentation: String

    /// Whether the route is shown by default.
    var isInitial = false

    /// Whether links can take the edge.
    var isLinkable = true

    /// The grounds for the presentation.
    var comment: String?
}

/// A value of a drafted route, read from the path or the query.
struct DraftParameter: Sendable {
    /// The name that plans give the value.
    let name: String

    /// The type, as catalogs write it.
    var type: String

    /// The words of an enumeration.
    var values: [String] = []

    /// The key of the query, if it is not the name.
    var key: String?

    /// Whether routes above read the same key.
    var isShared = false

    /// Whether a value that does not fit is ignored.
    var ignoresInvalid = false

    /// The grounds for the type.
    var comment: String
}
