import DeepLinkCore

/// A file or a layout of an Expo Router tree.
package struct ExpoPlace: Hashable, Sendable {
    /// The path below the folder `app` without an ending, or the folder of a layout, which is empty for the root.
    package let path: String

    /// Whether the layout of the folder shows tabs, or `nil` for the file of a screen.
    package let hasTabs: Bool?

    /// Creates a place.
    package init(path: String, hasTabs: Bool? = nil) {
        self.path = path
        self.hasTabs = hasTabs
    }

    fileprivate var segments: [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }
}

/// The files of an Expo Router tree that show the routes of a catalog.
///
/// A route has the files whose paths it has in the catalog, with the same names of parameters. A container has the folder
/// of the innermost layout around the screens that it opens.
struct ExpoScreens {
    /// The files of each route of the catalog, in its order: none if the route shows nothing, `nil` if it is unknown.
    private(set) var files: [[String]?]

    /// The layouts, in byte order.
    let layouts: [ExpoPlace]

    /// The paths of all screens in the router, without groups, in byte order.
    let paths: [[String]]

    private let screens: [ByteText: String]

    /// Finds the files of a catalog's routes.
    ///
    /// - Complexity: linear in the ways to the routes, of which it follows a bounded number.
    init(_ places: [ExpoPlace], catalog: RouteCatalog) {
        layouts = places.filter { $0.hasTabs != nil }.sorted { $0.path.bytewise < $1.path.bytewise }
        var screens: [ByteText: String] = [:]
        var paths: [ByteText: [String]] = [:]
        for place in places.sorted(by: { $0.path.bytewise < $1.path.bytewise }) where place.hasTabs == nil {
            let shown = Self.shown(place.segments)
            let key = ByteText(shown.map(Self.pattern).joined(separator: "/"))
            if screens[key] == nil { screens[key] = place.path }
            paths[ByteText(shown.joined(separator: "/"))] = shown
        }
        self.screens = screens
        self.paths = paths.sorted { $0.key < $1.key }.map(\.value)
        files = Array(repeating: nil, count: catalog.routes.count)
        findScreens(of: catalog)
        findContainers(of: catalog)
    }

    /// Returns the segments that a path has: without groups, and without `index` at the end.
    private static func shown(_ segments: [String]) -> [String] {
        let named = segments.filter { $0.utf8.first != UInt8(ascii: "(") }
        return named.last?.bytewise == "index" ? named.dropLast() : named
    }

    /// Returns a file's segment as catalogs write it: `[id]` as `{id}`, `[...rest]` as `{rest*}`.
    private static func pattern(_ segment: String) -> String {
        guard let name = parameter(segment) else { return segment }
        return name.isRest ? "{\(name.text)*}" : "{\(name.text)}"
    }

    /// Returns the name of the parameter that a segment stands for.
    static func parameter(_ segment: String) -> (text: String, isRest: Bool)? {
        let bytes = segment.utf8
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return nil }
        let inner = bytes.dropFirst().dropLast()
        let isRest = inner.starts(with: "...".utf8)
        return (String(Substring(isRest ? inner.dropFirst(3) : inner)), isRest)
    }

    // MARK: Screens

    /// The number of ways from the entry that are followed.
    ///
    /// Short ones come first.
    private static let maximumWayCount = 100_000

    private struct Way {
        let node: Int
        let path: [String]
        let routes: [Int]
    }

    private mutating func findScreens(of catalog: RouteCatalog) {
        var edges = [[Edge]](repeating: [], count: catalog.routes.count + 1)
        for edge in catalog.edges { edges[edge.parent].append(edge) }
        var ways = [Way(node: catalog.routes.count, path: [], routes: [])]
        var next = 0
        while next < ways.count, ways.count < Self.maximumWayCount {
            let way = ways[next]
            next += 1
            for edge in edges[way.node] where !way.routes.contains(edge.child) {
                guard let segments = Self.segments(of: edge) else { continue }
                let path = way.path + segments
                if !segments.isEmpty || edges[edge.child].isEmpty,
                    let file = screens[ByteText(path.joined(separator: "/"))]
                {
                    add(file, to: edge.child)
                }
                ways.append(Way(node: edge.child, path: path, routes: way.routes + [edge.child]))
            }
        }
    }

    private mutating func add(_ file: String, to route: Int) {
        if files[route]?.contains(where: { $0.bytewise == file.bytewise }) != true {
            files[route, default: []].append(file)
        }
    }

    /// Returns the segments that an edge adds to a path, or `nil` if no file name says them.
    private static func segments(of edge: Edge) -> [String]? {
        guard case .path(let pattern) = edge.address else { return nil }
        var segments: [String] = []
        for segment in pattern.segments {
            switch segment {
            case .literal(let text): segments.append(text)
            case .parameter(let name): segments.append("{\(name.text)}")
            case .rest(let name): segments.append("{\(name.text)*}")
            case .optional, .compound, .wildcard, .optionalWildcard, .wildcardRest: return nil
            }
        }
        return segments
    }

    // MARK: Containers

    /// Gives the containers their layouts, the innermost ones first.
    private mutating func findContainers(of catalog: RouteCatalog) {
        var opened = [[Edge]](repeating: [], count: catalog.routes.count + 1)
        var isContainer = [Bool](repeating: true, count: catalog.routes.count)
        for edge in catalog.edges {
            opened[edge.parent].append(edge)
            if Self.segments(of: edge)?.isEmpty != true { isContainer[edge.child] = false }
        }
        for _ in 0..<4 {
            for route in catalog.routes.indices
            where isContainer[route] && files[route] == nil && !opened[route].isEmpty {
                let tabs = opened[route].filter { $0.presentation == .tab }
                let known = (tabs.isEmpty ? opened[route] : tabs).map { files[$0.child]?.first }
                guard known.allSatisfy({ $0 != nil }) else { continue }
                let inside = known.compactMap { $0 }
                let layout = layouts.last { layout in
                    inside.allSatisfy { $0.utf8.starts(with: (layout.path + "/").utf8) }
                        && (tabs.isEmpty || layout.hasTabs == true)
                }
                files[route] = layout.map { $0.path.isEmpty ? [] : [$0.path] } ?? []
            }
        }
    }
}

extension [[String]?] {
    fileprivate subscript(index: Int, default files: [String]) -> [String] {
        get { self[index] ?? files }
        set { self[index] = newValue }
    }
}
