import DeepLinkCore

/// The path of every route, known before the routes are read, since an edge may stand above the route it opens.
struct DeclaredPaths {
    private var paths: [ByteText: PathPattern] = [:]

    /// Looks through `routes`; what is at fault there is reported when the routes are read.
    init(_ routes: YAMLNode?) {
        for pair in routes?.pairs ?? [] where pair.value["query"] == nil {
            let text = pair.value["path"]?.text ?? pair.key
            if let pattern = try? PathPattern(text) { paths[pair.key.bytewise] = pattern }
        }
    }

    /// The path of a route, unless a query key opens it.
    subscript(route: String) -> PathPattern? { paths[route.bytewise] }
}
