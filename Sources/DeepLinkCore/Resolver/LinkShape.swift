/// What the paths of some links have in common: the segments, each with all that may stand there.
///
/// It is what is known of links without one of them at hand, such as by the files that tell phones which links an app
/// opens. The prefix of an origin is not among the segments.
public struct LinkShape: Sendable {
    /// One segment.
    public enum Segment: Sendable {
        /// This text.
        case literal(String)

        /// Text and values in turn, which are not told apart here; it is narrower than a value alone.
        case compound

        /// A value of a type.
        case value(ScalarType)
    }

    /// The segments in order; none for the empty path.
    public let segments: [Segment]

    /// Whether any segments may follow.
    public let continues: Bool

    /// The place where such links are opened: the browser only where none of them needs the app.
    public let opens: RoutePage.Opens

    /// The routes that are kept in the browser and that some of the links put on top: indexes into ``RouteCatalog/routes``.
    ///
    /// Of links with one path there may be several kinds, since keys of the query open further routes.
    public let browserRoutes: [Int]

    /// Creates a shape from its parts.
    public init(segments: [Segment], continues: Bool, opens: RoutePage.Opens, browserRoutes: [Int]) {
        self.segments = segments
        self.continues = continues
        self.opens = opens
        self.browserRoutes = browserRoutes
    }
}

extension LinkShape.Segment {
    /// The only texts that may stand there, where they can be listed.
    public var words: [String]? {
        switch self {
        case .literal(let text): [text]
        case .value(.enumeration(let words)): words
        case .value(.bool): ["true", "false", "1", "0"]
        case .compound, .value: nil
        }
    }

    /// Whether a text that may stand there can have a slash, which a link spells `%2F`.
    public var mayHaveSlash: Bool {
        switch self {
        case .literal(let text): text.utf8.contains(ASCII.slash)
        case .value(.enumeration(let words)): words.contains { $0.utf8.contains(ASCII.slash) }
        case .compound: true
        case .value(.string(_, _, let pattern)):
            pattern?.elements.contains { $0.characters.contains(UInt32(ASCII.slash)) } ?? true
        case .value: false
        }
    }

    /// How narrow the segment is: of two shapes that a link fits, the one that is narrower at the first difference is
    /// meant.
    public var rank: Int {
        switch self {
        case .literal: -2
        case .compound: -1
        case .value(let type): Specificity(type).rawValue
        }
    }

    /// Returns whether a text may stand there.
    public func accepts(_ text: String) -> Bool {
        switch self {
        case .literal(let own): own.bytewise == text.bytewise
        case .compound: true
        case .value(let type): type.value(of: text) != nil
        }
    }
}
