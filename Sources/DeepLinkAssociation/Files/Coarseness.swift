import DeepLinkCore

/// How closely a file tells links apart, from the closest on: a file that is too large becomes coarser, and is not cut.
enum Coarseness: Equatable {
    /// Up to so many segments, behind which anything may follow.
    case segments(Int)

    /// By so many characters of the first segment.
    case characters(Int)

    /// Not at all: every path opens the app.
    case nothing

    /// The steps, the closest first.
    static let all: [Coarseness] =
        [.segments(12), .segments(4), .segments(3), .segments(2), .segments(1)]
        + [6, 4, 3, 2, 1].map { .characters($0) } + [.nothing]

    /// The most shapes that are looked at: more never fit.
    private static let maximumCount = 20_000

    /// The shapes of a catalog's links, told apart so closely; `nil` where they are too many.
    func shapes(of catalog: RouteCatalog) -> [LinkShape]? {
        switch self {
        case .segments(let depth): catalog.linkShapes(maximumDepth: depth, maximumCount: Self.maximumCount)
        case .characters, .nothing: []
        }
    }

    /// What the first segments of links begin with, each once; `nil` where one of them may begin with anything.
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
