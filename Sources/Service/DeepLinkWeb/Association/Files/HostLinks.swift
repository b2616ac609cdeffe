import DeepLinkCore

/// The links of one host as one app is given them: the shapes after each prefix of its origins, at one precision.
struct HostLinks {
    /// The shapes, each with the prefix of its origin.
    let shapes: [PlacedShape]

    /// The path prefixes, if rules are only that precise.
    let beginnings: [String]

    /// Whether every path counts as a link at this precision.
    let isEverything: Bool

    /// Whether a fragment that is not part of a path belongs to no link.
    let routesFragments: Bool

    /// Creates the links of some origins for an app, or returns `nil` if there are too many.
    ///
    /// - Parameters:
    ///   - catalog: the catalog.
    ///   - places: the positions at which the paths of the host's links begin.
    ///   - app: the app, or `nil` for the unnamed one.
    ///   - granularity: the precision.
    init?(_ catalog: RouteCatalog, places: [OriginPath], app: AppIndex?, granularity: RuleGranularity) {
        guard let shapes = granularity.shapes(of: catalog, for: app) else { return nil }
        self.shapes = places.flatMap { $0.shapes(shapes) }
        guard self.shapes.count <= RuleGranularity.maximumCount else { return nil }
        routesFragments = granularity != .nothing && places.allSatisfy(\.routesFragment)
        switch granularity {
        case .segments:
            beginnings = []
            isEverything = false
        case .characters(let length):
            guard places.allSatisfy(\.isPlain),
                let own = RuleGranularity.beginnings(of: catalog, for: app, length: length)
            else { return nil }
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

/// The precision with which a file distinguishes links, in descending order.
///
/// A file that is too large is made coarser instead of being truncated.
enum RuleGranularity: Equatable {
    /// By up to this number of segments, followed by anything.
    case segments(Int)

    /// By this number of characters of the first segment.
    case characters(Int)

    /// No distinction: every path opens the app.
    case nothing

    /// All levels, the most precise first.
    static let all: [RuleGranularity] =
        [.segments(12), .segments(4), .segments(3), .segments(2), .segments(1)]
        + [6, 4, 3, 2, 1].map { .characters($0) } + [.nothing]

    /// The maximum number of shapes to process, since more never fit.
    static let maximumCount = 20_000

    /// Returns the shapes of a catalog's links at this precision for an app, or `nil` if there are too many.
    func shapes(of catalog: RouteCatalog, for app: AppIndex?) -> [LinkShape]? {
        switch self {
        case .segments(let depth):
            catalog.linkShapes(for: app, maximumDepth: depth, maximumCount: Self.maximumCount)
        case .characters, .nothing: []
        }
    }

    /// Returns the distinct prefixes of links' first segments, or `nil` if a first segment may begin with any text.
    ///
    /// In a catalog of several apps, only links that open in the app count.
    static func beginnings(of catalog: RouteCatalog, for app: AppIndex?, length: Int) -> [String]? {
        guard let shapes = catalog.linkShapes(for: app, maximumDepth: 1, maximumCount: .max / 8) else { return nil }
        let own = catalog.dividesApps ? shapes.filter { $0.opens == .app } : shapes
        var seen: Set<ByteText> = []
        var beginnings: [String] = []
        for segment in own.compactMap(\.segments.first) {
            guard let words = segment.words else { return nil }
            for word in words {
                let beginning = String(String.UnicodeScalarView(word.unicodeScalars.prefix(length)))
                if seen.insert(beginning.bytewise).inserted { beginnings.append(beginning) }
            }
        }
        return beginnings
    }
}
