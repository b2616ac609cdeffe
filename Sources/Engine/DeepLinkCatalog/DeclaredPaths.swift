import DeepLinkCore

/// The path of every route, collected before the routes are read, because an edge may precede the route that it opens.
struct DeclaredPaths {
    private var paths: [ByteText: PathPattern] = [:]

    /// Collects the paths of `routes`; issues are reported later, when the routes are read.
    init(_ routes: YAMLNode?) {
        for pair in routes?.pairs ?? [] where pair.value["query"] == nil {
            let text = pair.value["path"]?.text ?? pair.key
            if let pattern = try? PathPattern(text) { paths[pair.key.bytewise] = pattern }
        }
    }

    /// The path of a route, unless a query key opens it.
    subscript(route: String) -> PathPattern? { paths[route.bytewise] }
}
