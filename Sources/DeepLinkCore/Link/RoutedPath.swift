/// The part of a link that routes are matched against: its path without the origin's prefix.
///
/// Under an origin that reads the host as a segment, the part begins at the host; under one that routes the fragment, it
/// goes on there. Where the parts do not stand side by side, ``link`` is a reference that is put together from them.
struct RoutedPath: Sendable {
    /// The link that is matched.
    let link: DeepLink

    /// The byte offset from which segments are read: a slash, the first byte of a segment, or the path's end.
    let start: Int

    /// The places in the link as sent of what is put together; `nil` where they are its own.
    var offsets: LinkOffsets?

    /// The link as it was sent, or as it stands in the query of another one.
    var source: DeepLink { offsets?.source ?? link }

    /// What the fragment of the link says, as sent, where no origin routes it; `nil` for nothing.
    var unusedFragment: String? {
        guard offsets?.hasFragment != true else { return nil }
        let source = source
        guard let fragment = source.spans.fragment, !fragment.isEmpty else { return nil }
        return String(decoding: source.bytes[fragment.indices], as: UTF8.self)
    }

    /// Whether the part has no segment and the query no pair.
    var isEmpty: Bool { link.nextSegment(from: start) == nil && link.pairRanges.isEmpty }

    /// Returns the offset in the link as sent of what stands at an offset of the link that is matched.
    func original(_ offset: Int) -> Int { offsets?.original(of: offset) ?? offset }

    /// Returns the stretch of the link as sent that stands at a stretch of the link that is matched.
    func original(_ range: LinkRange) -> LinkRange {
        guard let offsets else { return range }
        let start = offsets.original(of: range.start)
        // What follows may stand elsewhere.
        return LinkRange(start, range.isEmpty ? start : max(start, offsets.original(of: range.end - 1) + 1))
    }
}
