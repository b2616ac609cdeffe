import DeepLinkCore

/// A route that an app's own table declares, before links say more about it.
struct DeclaredRoute: Sendable {
    /// A segment of a declared path.
    enum Segment: Sendable {
        case literal(String)
        case parameter(String)
        case optional(String)
        case rest(String)

        /// The segment as catalogs write it.
        var text: String {
            switch self {
            case .literal(let text): text
            case .parameter(let name): "{\(name)}"
            case .optional(let name): "{\(name)?}"
            case .rest(let name): "{\(name)*}"
            }
        }

        /// The name of the parameter, or `nil` for a literal.
        var parameterName: String? {
            switch self {
            case .literal: nil
            case .parameter(let name), .optional(let name), .rest(let name): name
            }
        }
    }

    /// The name, unique among the declared routes.
    var name: String

    /// The path below the parent, empty for a container.
    var segments: [Segment]

    /// The position of the parent, or `nil` at the entry.
    var parent: Int?

    /// The presentation, as catalogs write it.
    var presentation: String

    /// Whether it is shown by default.
    var isInitial = false

    /// Whether links can take the edge.
    var isLinkable = true

    /// Other paths.
    var aliases: [[Segment]] = []

    /// The source of the route.
    var comment: String?

    /// The reason for its presentation.
    var edgeComment: String?
}

extension RouteTree {
    /// Creates a tree of declared routes.
    init(_ routes: [DeclaredRoute]) {
        self.init()
        for number in routes.indices
        where !routes[number].segments.isEmpty || routes.allSatisfy({ $0.parent != number }) {
            guard routes[number].isLinkable else { continue }
            var paths = [routes[number].segments] + routes[number].aliases
            var parent = routes[number].parent
            while let place = parent {
                paths = paths.map { routes[place].segments + $0 }
                parent = routes[place].parent
            }
            for path in paths { declare(path[...], at: 0, route: number) }
        }
    }

    private mutating func declare(_ path: ArraySlice<DeclaredRoute.Segment>, at node: Int, route: Int) {
        guard let first = path.first else {
            if self[node].declaredRoute == nil { self[node].declaredRoute = route }
            return
        }
        switch first {
        case .literal(let text):
            let child = self[node].literals[text.bytewise] ?? add(.literal(spellings: [text]), below: node)
            declare(path.dropFirst(), at: child, route: route)
        case .optional(let name):
            declare(path.dropFirst(), at: node, route: route)
            declare([.parameter(name)] + path.dropFirst(), at: node, route: route)
        case .parameter(let name), .rest(let name):
            let child = self[node].value ?? add(.value, below: node)
            if self[child].declaredName == nil { self[child].declaredName = name }
            if case .rest = first { self[child].isRest = true }
            declare(path.dropFirst(), at: child, route: route)
        }
    }
}
