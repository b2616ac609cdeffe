import DeepLinkCore

/// The links of one host: the shapes after each prefix of its origins, at one precision.
struct LinkSpace {
    /// The shapes, each with the prefix of its origin.
    let shapes: [PlacedShape]

    /// The path prefixes, if rules are only that precise.
    let beginnings: [String]

    /// Whether every path counts as a link at this precision.
    let isEverything: Bool

    /// Whether a fragment that is not part of a path belongs to no link.
    let routesFragments: Bool

    /// Creates the links of some origins, or returns `nil` if there are too many.
    init?(_ catalog: RouteCatalog, places: [LinkPlace], granularity: RuleGranularity) {
        guard let shapes = granularity.shapes(of: catalog) else { return nil }
        self.shapes = places.flatMap { $0.shapes(shapes) }
        guard self.shapes.count <= RuleGranularity.maximumCount else { return nil }
        routesFragments = granularity != .nothing && places.allSatisfy(\.routesFragment)
        switch granularity {
        case .segments:
            beginnings = []
            isEverything = false
        case .characters(let length):
            guard places.allSatisfy(\.isPlain), let own = RuleGranularity.beginnings(of: catalog, length: length) else {
                return nil
            }
            beginnings = places.flatMap { place in own.map { (place.prefix + [$0]).joined(separator: "/") } }
            isEverything = false
        case .nothing:
            beginnings = []
            isEverything = true
        }
    }

    /// Whether the path `/` is a link that opens in the app.
    var hasRoot: Bool {
        shapes.contains { $0.fragment == nil && $0.segments.isEmpty && $0.opens == .app } || !beginnings.isEmpty
            || isEverything
    }
}
