import DeepLinkCore
import Yams

/// Knows the path of every route before the routes are read, since an edge may stand above the route it opens.
struct DeclaredPaths {
    private var paths: [String: PathPattern] = [:]

    /// Looks through `routes`; what is at fault there is reported when the routes are read.
    init(_ routes: Node?) {
        guard let mapping = routes?.mapping else { return }
        for (key, value) in mapping {
            guard let name = key.scalar?.string, value.mapping?["query"] == nil else { continue }
            let text = value.mapping?["path"]?.scalar?.string ?? name
            if let pattern = try? PathPattern(text) { paths[name] = pattern }
        }
    }

    /// The path of a route, unless a query key opens it.
    subscript(route: String) -> PathPattern? { paths[route] }
}
