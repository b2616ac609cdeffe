/// The part of a link that routes are matched against: its path without the origin's prefix.
///
/// Under an origin that reads the host as a segment, the part begins at the host.
struct RoutedPath: Sendable {
    /// The link.
    let link: DeepLink

    /// The byte offset from which segments are read: a slash, the first byte of a segment, or the path's end.
    let start: Int

    /// Whether the part has no segment and the query no pair.
    var isEmpty: Bool { link.nextSegment(from: start) == nil && link.pairRanges.isEmpty }
}
