import DeepLinkCore

/// The links of one host: the shapes behind each prefix of its origins, so closely told apart.
struct LinkSpace {
    /// The shapes, each with the prefix of its origin in front.
    let shapes: [LinkShape]

    /// What paths begin with, where that is all that is told.
    let beginnings: [String]

    /// Whether every path is a link, for all that is told.
    let isEverything: Bool

    /// Lists the links of some origins; `nil` where they are too many.
    init?(_ catalog: RouteCatalog, prefixes: [[String]], _ coarseness: Coarseness) {
        guard let shapes = coarseness.shapes(of: catalog) else { return nil }
        self.shapes = prefixes.flatMap { prefix in
            shapes.map { $0.behind(prefix) }
        }
        switch coarseness {
        case .segments:
            beginnings = []
            isEverything = false
        case .characters(let length):
            guard let own = Coarseness.beginnings(of: catalog, length: length) else { return nil }
            beginnings = prefixes.flatMap { prefix in own.map { (prefix + [$0]).joined(separator: "/") } }
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

extension LinkShape {
    /// The shape behind the prefix of an origin.
    fileprivate func behind(_ prefix: [String]) -> LinkShape {
        LinkShape(
            segments: prefix.map { .literal($0) } + segments,
            continues: continues,
            opens: opens,
            route: route
        )
    }
}
