import DeepLinkCore

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

    /// Returns the shapes of a catalog's links at this precision, or `nil` if there are too many.
    func shapes(of catalog: RouteCatalog) -> [LinkShape]? {
        switch self {
        case .segments(let depth): catalog.linkShapes(maximumDepth: depth, maximumCount: Self.maximumCount)
        case .characters, .nothing: []
        }
    }

    /// Returns the distinct prefixes of links' first segments, or `nil` if a first segment may begin with any text.
    static func beginnings(of catalog: RouteCatalog, length: Int) -> [String]? {
        guard let shapes = catalog.linkShapes(maximumDepth: 1, maximumCount: .max / 8) else { return nil }
        var seen: Set<ByteText> = []
        var beginnings: [String] = []
        for segment in shapes.compactMap(\.segments.first) {
            guard let words = segment.words else { return nil }
            for word in words {
                let beginning = String(String.UnicodeScalarView(word.unicodeScalars.prefix(length)))
                if seen.insert(beginning.bytewise).inserted { beginnings.append(beginning) }
            }
        }
        return beginnings
    }
}
