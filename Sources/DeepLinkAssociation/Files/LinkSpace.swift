import DeepLinkCore

/// The links of one host: the shapes behind each prefix of its origins, so closely told apart.
struct LinkSpace {
    /// The shapes, each with the place of its origin in front.
    let shapes: [LinkShape]

    /// What paths begin with, where that is all that is told.
    let beginnings: [String]

    /// Whether every path is a link, for all that is told.
    let isEverything: Bool

    /// Lists the links of some origins; `nil` where they are too many.
    init?(_ catalog: RouteCatalog, places: [LinkPlace], _ coarseness: Coarseness) {
        guard let shapes = coarseness.shapes(of: catalog) else { return nil }
        self.shapes = places.flatMap { $0.shapes(shapes) }
        switch coarseness {
        case .segments:
            beginnings = []
            isEverything = false
        case .characters(let length):
            guard places.allSatisfy(\.isPlain), let own = Coarseness.beginnings(of: catalog, length: length) else {
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
        shapes.contains { $0.segments.isEmpty && $0.opens == .app } || !beginnings.isEmpty || isEverything
    }
}
