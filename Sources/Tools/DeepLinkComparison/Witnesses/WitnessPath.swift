import DeepLinkCore

/// The path and query of a link without an origin.
struct WitnessPath {
    /// One segment of the path.
    struct Segment {
        /// The text, percent-encoded.
        let text: String

        /// Whether another text may replace it, because a parameter or a wildcard matches it.
        let isFree: Bool
    }

    /// The path.
    let segments: [Segment]

    /// The query with its question mark; empty if there is none.
    let query: String

    /// The first segment if it is fixed, which decides the origin that takes the link.
    let opening: ByteText?

    init(_ segments: [Segment], query: String) {
        self.segments = segments
        self.query = query
        opening = segments.first.flatMap { $0.isFree ? nil : $0.text.bytewise }
    }

    /// The path of one free segment.
    static let any = WitnessPath([Segment(text: "x", isFree: true)], query: "")

    /// The path and query in the syntax of links.
    var text: String {
        (segments.isEmpty ? "/" : segments.map { "/" + $0.text }.joined()) + query
    }

    /// The path and query behind the first segment.
    var rest: String { segments.dropFirst().map { "/" + $0.text }.joined() + query }
}
