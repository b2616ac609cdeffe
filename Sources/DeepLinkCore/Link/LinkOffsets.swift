/// The places in a link as it was sent of what was put together from parts of it.
///
/// Where a link is routed by more than its path (its host, its fragment, a link in its query), another text is matched
/// than was sent; what is said about a place is said about the link as sent.
final class LinkOffsets: Sendable {
    /// A stretch that stands for one of the link as sent.
    struct Run: Sendable {
        /// The offset of the first byte in the text that is matched.
        let place: Int

        /// The offset of the byte that it stands for.
        let original: Int

        /// Whether each further byte stands for the next one; else all stand for the same.
        let isStretch: Bool
    }

    /// The link that the text was put together from.
    let source: DeepLink

    /// Whether the fragment of that link is a part of the text.
    let hasFragment: Bool

    private let runs: [Run]

    /// The places of that link, where it stands in the query of another one.
    private let outer: LinkOffsets?

    init(_ runs: [Run], in source: DeepLink, within outer: LinkOffsets?, hasFragment: Bool = false) {
        self.runs = runs
        self.hasFragment = hasFragment
        self.source = source
        self.outer = outer
    }

    /// Returns the offset in the link as sent of what stands at an offset.
    ///
    /// - Complexity: logarithmic in the parts.
    func original(of offset: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].place <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return outer?.original(of: 0) ?? 0 }
        let run = runs[low - 1]
        let found = run.original + (run.isStretch ? offset - run.place : 0)
        return outer?.original(of: found) ?? found
    }
}
