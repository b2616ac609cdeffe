import DeepLinkCore

/// The tags of languages with which paths begin, and the words behind them.
struct LanguageTally {
    /// The words that are tags of languages, and name screens at least as often.
    private static let ambiguous: Set<ByteText> = [
        "id", "my", "no", "is", "it", "to", "so", "am", "me", "as", "be", "or",
    ]

    /// The number of links that begin with each tag.
    private var counts: [ByteText: Int] = [:]

    /// The number of links with each tag behind another.
    private var behind: [ByteText: Int] = [:]

    private var nexts: [ByteText: HashSample] = [:]
    private var firsts = HashSample(maximumCount: 4096)

    mutating func note(_ segments: [String]) {
        guard let first = segments.first else { return }
        guard ScreenWords.isLanguage(first) else {
            if ValueForm(first) == .word { firsts.insert(StableHash.hash(first)) }
            return
        }
        counts[first.bytewise, default: 0] += 1
        guard segments.count > 1, ValueForm(segments[1]) == .word else { return }
        if ScreenWords.isLanguage(segments[1]) { behind[segments[1].bytewise, default: 0] += 1 }
        nexts[first.bytewise, default: HashSample(maximumCount: 256)].insert(StableHash.hash(segments[1]))
    }

    /// The tags behind which the paths are those of links without one, or with another.
    ///
    /// A tag that often stands behind another is a screen, as `my` in `en/my`.
    var languages: [String] {
        let tags = counts.keys.filter { behind[$0, default: 0] * 4 < counts[$0, default: 0] }.sorted()
        let known = Set(firsts.hashes)
        let fitting = tags.filter { tag in
            guard let own = nexts[tag]?.hashes, !own.isEmpty else { return false }
            let others = tags.filter { $0 != tag }.reduce(into: known) { $0.formUnion(nexts[$1]?.hashes ?? []) }
            return own.count { others.contains($0) } * 2 >= own.count
        }
        let hasSure = fitting.contains { !Self.ambiguous.contains($0) }
        guard hasSure else { return [] }
        // A tag alone, such as `/de`, is the start page in that language.
        let bare = tags.filter { nexts[$0] == nil && !Self.ambiguous.contains($0) && fitting.count > 1 }
        return (fitting + bare).sorted().map(\.string)
    }
}
