/// The common form of some links' paths: the segments, each with the texts that it accepts.
///
/// It describes links without examples, such as in the files by which phones decide which links an app opens. The
/// prefix of an origin is not included.
package struct LinkShape: Sendable {
    /// One segment.
    package enum Segment: Sendable {
        /// This text.
        case literal(String)

        /// Text and values in turn, not listed here.
        ///
        /// The segment is narrower than a single value.
        case compound

        /// A value of a type.
        case value(ScalarType)
    }

    /// A key of the query with which the links of a shape belong to another app.
    package struct KeptKey: Sendable {
        /// The key, of letters, digits, hyphens and underscores.
        package let name: String

        /// The routes on top of the stacks of links with the key, as indexes into ``RouteCatalog/routes``.
        package let routes: [Int]

        /// Whether the key always has a value in such links.
        package let hasValue: Bool
    }

    /// The segments in order, empty for the empty path.
    package let segments: [Segment]

    /// Whether any segments may follow.
    package let continues: Bool

    /// Whether some of the links open in the app for which the shape is made: the browser only if none of them does.
    package let opens: RoutePage.Opens

    /// The routes on top of the stacks of those links that don't open in the app, as indexes into
    /// ``RouteCatalog/routes``: their route opens in the browser, or their stack is in another app.
    ///
    /// Links with one path may have different top routes, since keys of the query open further routes.
    package let keptRoutes: [Int]

    /// The keys of the query that take links from the app, without which they would open in it.
    ///
    /// Their routes aren't among ``keptRoutes``.
    package let keptKeys: [KeptKey]

    /// Creates a shape from its parts.
    package init(
        segments: [Segment],
        continues: Bool,
        opens: RoutePage.Opens,
        keptRoutes: [Int],
        keptKeys: [KeptKey] = []
    ) {
        self.segments = segments
        self.continues = continues
        self.opens = opens
        self.keptRoutes = keptRoutes
        self.keptKeys = keptKeys
    }
}

extension LinkShape.Segment {
    /// The accepted texts, if they can be listed.
    package var words: [String]? {
        switch self {
        case .literal(let text): [text]
        case .value(.enumeration(let words)): words.list
        case .value(.bool): ["true", "false", "1", "0"]
        case .compound, .value: nil
        }
    }

    /// Whether an accepted text can contain a slash, which a link encodes as `%2F`.
    package var mayHaveSlash: Bool {
        switch self {
        case .literal(let text): text.utf8.contains(ASCII.slash)
        case .value(.enumeration(let words)): words.contains { $0.utf8.contains(ASCII.slash) }
        case .compound: true
        case .value(.string(_, _, let pattern)):
            pattern?.elements.contains { $0.characters.contains(UInt32(ASCII.slash)) } ?? true
        case .value: false
        }
    }

    /// The narrowness of the segment: of two shapes that a link fits, the narrower one at the first difference applies.
    package var rank: Int {
        switch self {
        case .literal: -2
        case .compound: -1
        case .value(let type): Specificity(type).rawValue
        }
    }

    /// Returns whether the segment accepts a text.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .literal(let own): own.bytewise == text.bytewise
        case .compound: true
        case .value(let type): type.value(of: text) != nil
        }
    }
}
