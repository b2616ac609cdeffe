import DeepLinkCore

/// An app of a draft, with its name.
struct DraftApp: Sendable {
    let name: String
    let appIDs: [String]
    let packages: [String]
}

extension DraftCatalog {
    /// The maximum number of links of a route that are compared.
    private static let maximumLinkCount = 1_000

    /// Gives routes the app that alone gets their links.
    ///
    /// A route has an app only if the links of all routes that it opens are links of the same app, so that no stack has
    /// two. An initial child is below others, and has none.
    ///
    /// - Parameters:
    ///   - apps: the apps.
    ///   - onlyApp: returns the position of the only app that gets a link, or `nil` if none gets it, or several.
    /// - Complexity: linear in the links, and in the square of the routes.
    mutating func divide(among apps: [DraftApp], onlyApp: (String) -> Int?) {
        self.apps = apps
        (appleApps, androidPackages) = ([], [])
        let own = routes.map { Set($0.links.prefix(Self.maximumLinkCount).map(onlyApp)) }
        let places = Dictionary(routes.enumerated().map { ($1.name.bytewise, $0) }, uniquingKeysWith: { one, _ in one })
        let children = routes.map { route in route.opens.compactMap { places[$0.route.bytewise] } }
        var parents = [[Int?]](repeating: [], count: routes.count)
        for edge in entry { if let place = places[edge.route.bytewise] { parents[place].append(nil) } }
        for (place, list) in children.enumerated() { for child in list { parents[child].append(place) } }
        let initial = Set((entry + routes.flatMap(\.opens)).filter(\.isInitial).map(\.route.bytewise))
        let owners = routes.indices.map { place -> Int? in
            guard own[place].count == 1, let app = own[place].first ?? nil else { return nil }
            guard !initial.contains(routes[place].name.bytewise) else { return nil }
            return Self.below(place, children: children).allSatisfy { own[$0].isSubset(of: [app]) } ? app : nil
        }
        for (place, owner) in owners.enumerated() {
            guard let owner else { continue }
            // A route below another route of the app needs no app.
            let isSaid = parents[place].allSatisfy { parent in parent.map { owners[$0] == owner } ?? false }
            guard !isSaid || parents[place].isEmpty else { continue }
            routes[place].app = apps[owner].name
        }
    }

    /// Returns the routes that a route opens, and that these open.
    private static func below(_ place: Int, children: [[Int]]) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = children[place]
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += children[next] }
        }
        return found
    }
}
