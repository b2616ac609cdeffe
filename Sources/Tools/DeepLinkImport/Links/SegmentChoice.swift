import DeepLinkCore

/// The segments at one place of the paths, divided into literals and values of a parameter.
///
/// Four statistics decide, in this order:
///
/// 1. Whether there are more segments than were seen. Literals are few, and come again. Values are many, and some are
///    rare.
/// 2. Whether links go on behind a word as behind the values: in the number of segments, and in the words.
/// 3. Whether siblings share what follows. Then they are values, unless they are few.
/// 4. Whether a word is seen far more often than the next one, which the values of popular things are not.
///
/// A word that names screens in many apps is a literal where the statistics say nothing.
struct SegmentChoice {
    /// A literal, with the spellings of its letters that the links have, the most frequent first.
    struct Literal {
        let spellings: [String]
        let links: Int
    }

    /// The literals in the order of their bytes.
    private(set) var literals: [Literal] = []

    /// The words of an enumeration.
    private(set) var enumeration: [String] = []

    /// Whether some links have a value there.
    private(set) var hasValues: Bool

    /// - Parameters:
    ///   - tally: The segments.
    ///   - previous: The literal before them, or `nil` at the beginning and behind a value.
    ///   - isFirst: Whether they are the first segments of the paths.
    init(_ tally: SegmentTally, after previous: String?, isFirst: Bool) {
        hasValues = tally.valueLinks > 0 || tally.uncountedLinks > 0 || tally.hasRareSigns
        var words = tally.words.map { WordCandidate(text: $0.key.string, word: $0.value) }
        words.sort { ($1.links, $0.text.bytewise) < ($0.links, $1.text.bytewise) }
        let literals = Place(words, tally, previous: previous, isFirst: isFirst).literals
        let kept = Set(literals.map(\.text.bytewise))
        let values = words.filter { !kept.contains($0.text.bytewise) }
        if !hasValues { enumeration = Self.enumeration(of: values) }
        if !values.isEmpty { hasValues = true }
        self.literals = Self.joined(literals)
    }

    /// Returns the literals, at most the given number of the most frequent ones, in the order of their bytes.
    func literals(upTo maximumCount: Int) -> [Literal] {
        guard literals.count > maximumCount else { return literals }
        return literals.sorted { ($1.links, $0.spellings[0].bytewise) < ($0.links, $1.spellings[0].bytewise) }
            .prefix(maximumCount).sorted { $0.spellings[0].bytewise < $1.spellings[0].bytewise }
    }

    /// The words of one place, with what is known about it.
    private struct Place {
        private let words: [WordCandidate]
        private let tally: SegmentTally
        private let isFirst: Bool

        /// Whether literals are likely, since the place is behind a word such as `settings`.
        private let isContainer: Bool

        /// The words that share what follows, by the numbers of their links.
        private let kin: [WordCandidate]

        /// The number of words that follow them.
        private let sharedCount: Int

        init(_ words: [WordCandidate], _ tally: SegmentTally, previous: String?, isFirst: Bool) {
            self.words = words
            self.tally = tally
            self.isFirst = isFirst
            isContainer = previous.map { ScreenWords.isContainer($0) } ?? false
            isCollection = previous.map { ScreenWords.isPlural($0) } ?? false
            (kin, sharedCount) = Self.kin(of: words, isFirst: isFirst)
        }

        /// Whether values are likely, since the place is behind a word such as `tags`.
        private let isCollection: Bool

        /// Whether the words name screens, as those of other apps do, and are no titles.
        private var areScreens: Bool {
            words.count(where: \.isScreen) * 3 >= words.count && words.count(where: \.isPhrase) * 2 < words.count
        }

        /// The number of words that were not seen, as the numbers of those seen once and twice tell (Chao's estimate).
        private var unseenCount: Double {
            let once = Double(words.count { $0.links == 1 && !$0.isCommon })
            let twice = Double(words.count { $0.links == 2 && !$0.isCommon })
            return once * (once - 1) / (2 * (twice + 1))
        }

        /// Whether there are more words than were seen.
        private var isOpen: Bool {
            if tally.uncountedLinks > 0 { return true }
            let isLikely = !(isFirst || isContainer || areScreens)
            return unseenCount
                >= max(isLikely ? 1 : 3, Double(words.count) * (isLikely ? isCollection ? 0.25 : 0.4 : 1))
        }

        /// The largest number of words that are all literals where no value is seen.
        private var closedCount: Int { isFirst ? 128 : areScreens || isContainer ? 64 : 24 }

        /// The words that are literals of the draft.
        var literals: [WordCandidate] {
            guard !words.isEmpty else { return [] }
            let isOpen = isOpen
            let isMixed = tally.valueLinks * 50 >= words.reduce(0) { $0 + $1.links }
            if !isOpen, !isMixed {
                let isFamily = kin.count > (isFirst || isContainer ? 12 : 3)
                if !isFamily, words.count <= closedCount { return words }
            }
            // The values that are sure, and what is behind them.
            let rare = isOpen || isMixed ? words.filter { $0.links <= 2 && !$0.isCommon } : []
            var sure = Set((rare + kin).map(\.text.bytewise))
            if sure.isEmpty, tally.valueLinks == 0 { sure = Set(words.filter { !$0.isCommon }.map(\.text.bytewise)) }
            var values = tally.values
            for word in words where sure.contains(word.text.bytewise) { values.add(word.word) }
            let outliers = outliers
            let usual = words.filter { !$0.isCommon }.map(\.links).max() ?? 0
            let areTyped = areTyped(values)
            // Beside values that go on, so many words that end are values too.
            let ending = words.filter { !$0.goesOn && !$0.isScreen }
            let related = Set((ending.count > closedCount ? kin + ending : kin).map(\.text.bytewise))
            var popular = popularCount(among: values)
            let unpopular = kin.isEmpty ? words.filter { $0.links <= 2 && !$0.isCommon } : Array(kin.dropFirst(popular))
            let popularLinks = frequentLinks(among: unpopular, others: 0, upTo: 0)
            let amongTyped = frequentLinks(among: [], others: words.count { !$0.isValueLike }, upTo: 8)
            let once = words.filter { $0.links <= 2 }
            let amongRare = frequentLinks(among: once, others: words.count - once.count, upTo: isFirst ? 12 : 0)
            var kept: [WordCandidate] = []
            var screens: [WordCandidate] = []
            var leaves: [WordCandidate] = []
            for word in words {
                let links = word.isValueLike ? 0 : Double(word.links)
                let isOutlier =
                    outliers.contains(word.text.bytewise) || links >= amongTyped || word.goesOn && links >= amongRare
                let isStructure = !isOutlier && word.isStructure(among: values, of: words.count, isFirst: isFirst)
                // Behind another segment, a word with all that follows the values is a popular one among them.
                let isRelated =
                    isOutlier
                    ? !isFirst && word.word.nexts.isPart(of: values.nexts)
                    : related.contains(word.text.bytewise) && !(isFirst && word.isCommon && isStructure)
                if !isRelated, isOutlier || isStructure {
                    kept.append(word)
                } else if word.goesOn, popular > 0, links >= popularLinks {
                    popular -= 1
                    kept.append(word)
                } else if isRelated {
                    continue
                } else if !word.goesOn, word.isCommon, word.links >= max(40, tally.links / 100) {
                    // Of the words that name screens elsewhere, those seen often do so here.
                    screens.append(word)
                } else if !word.goesOn, areTyped, standsOut(word) || isSparse && links >= 2 {
                    kept.append(word)
                } else if !word.goesOn, !areTyped,
                    isSparse && links >= 2 || word.isCommon && (word.links * 2 >= usual || isContainer)
                        || isFirst && word.isScreen && links >= 3
                {
                    leaves.append(word)
                }
            }
            return kept + screens.prefix(8) + leaves.prefix(max(isFirst ? 8 : 2, kept.count))
        }

        /// Returns whether most values are numbers and identifiers, among which the words are literals.
        private func areTyped(_ values: SegmentTally.Word) -> Bool {
            let likeValues = words.filter(\.isValueLike).reduce(0) { $0 + $1.links }
            guard (tally.valueLinks + likeValues) * 2 >= values.links else { return false }
            let others = words.filter { !$0.isCommon && !$0.isValueLike }
            return others.count <= (others.count(where: \.isScreen) * 3 >= others.count ? 32 : 8)
        }

        /// The number of links from which a word is seen far more often than the values, or infinity.
        ///
        /// - Parameters:
        ///   - rare: The words that count as values, beside numbers and identifiers.
        ///   - others: The number of other words.
        ///   - maximumCount: The largest number of other words of which one may stand out.
        /// - Returns: The number of links.
        private func frequentLinks(among rare: [WordCandidate], others: Int, upTo maximumCount: Int) -> Double {
            let distinct = Double(rare.count) + tally.distinctValues.estimatedCount
            guard others <= maximumCount, distinct >= max(8, 2 * Double(others)) else { return .infinity }
            return (rare.isEmpty ? 4 : 8) * Double(rare.reduce(tally.valueLinks) { $0 + $1.links }) / distinct + 4
        }

        /// Whether there are so few links that the statistics say little.
        ///
        /// A value that is taken for a literal is one route too many. A literal that is taken for a value is lost.
        private var isSparse: Bool { tally.links < 40 }

        /// The number of words that go on as the values do, and become literals since they are seen far more often.
        ///
        /// Some are popular values. Each makes its own routes of what follows, so there are the fewer the more that is. None is
        /// behind another segment, where literals are rare.
        private func popularCount(among values: SegmentTally.Word) -> Int {
            let behind = max(1, sharedCount, values.nexts.hashes.count)
            let deepLinks = Int(values.links) - (0..<3).reduce(0) { $0 + Int(values.lengths[$1]) }
            let isDeep = deepLinks * 2 >= values.links
            return !isFirst || values.nexts.isWide || isDeep || behind > 5 ? 0 : 16 / behind
        }

        /// Returns whether a word is seen more often than most numbers and identifiers beside it.
        private func standsOut(_ word: WordCandidate) -> Bool {
            guard !word.isValueLike else { return false }
            let mean = Double(tally.valueLinks) / max(1, tally.distinctValues.estimatedCount)
            return word.isCommon || Double(word.links) >= (word.isScreen ? 2 : 2 * mean + 2)
        }

        /// The words that are seen far more often than the next ones.
        private var outliers: Set<ByteText> {
            guard words.count >= 4 else { return [] }
            var count = 0
            for place in 0..<min(12, words.count - 3) {
                // The most popular value is seen twice as often as the second, the second 3/2 times as often as the third.
                let (rank, next) = (Double(place + 1), Double(words[place + 1].links))
                let usual = 1.5 * (rank + 1) / rank * next + 3 * next.squareRoot()
                if Double(words[place].links) >= usual { count = place + 1 }
            }
            // Rare words are not counted among too many. The next ones have to be.
            let largest = min(24, tally.uncountedLinks > 0 ? words.count / 3 : words.count * 2 / 3)
            if let most = (count..<max(count, largest)).last(where: { falls(behind: $0 + 1) }) { count = most + 1 }
            return Set(words.prefix(count).map(\.text.bytewise))
        }

        /// Returns whether the words behind the most frequent ones are seen less often than those of one kind would be.
        ///
        /// The links of values fall at most with the power 3/2 of the rank, so that many are seen nearly as often as the last
        /// of the most frequent ones. What is seen of them is compared with that, up to three times the rank. Some few links
        /// of a word say nothing.
        private func falls(behind count: Int) -> Bool {
            let least = Double(words[count - 1].links)
            guard least >= 6 else { return false }
            var (expected, seen) = (0.0, 0.0)
            for place in count..<min(words.count, 3 * count) {
                let share = Double(count) / Double(place + 1)
                expected += least * share * share.squareRoot()
                seen += Double(words[place].links)
            }
            return seen * 2 <= expected && expected - seen >= 3 * expected.squareRoot()
        }

        /// Returns the words that share most of what follows them, if most words do.
        ///
        /// Values such as the names of owners may have other values behind them. What is behind those tells then. Where many
        /// words behind another segment go on with any value, they are values as well: a folder has few screens of one form.
        private static func kin(of words: [WordCandidate], isFirst: Bool) -> (words: [WordCandidate], sharedCount: Int)
        {
            let going = words.filter(\.goesOn)
            let near = kin(of: going, by: \.nexts)
            guard near.words.isEmpty else { return near }
            let far = kin(of: words.filter { $0.links - $0.word.ends > Int($0.word.lengths[1]) }, by: \.seconds)
            guard far.words.isEmpty, !isFirst else { return far }
            // Behind the rare ones, few of the values were seen: those that are behind others as well.
            let counts = counts(behind: going, by: \.nexts)
            let free = going.filter { word in
                let nexts = word.word.nexts
                return !word.isScreen
                    && (nexts.isFree || counts.count > 16 && nexts.hashes.contains { counts[$0, default: 0] >= 3 })
            }
            return free.count > 16 && free.count * 2 >= going.count ? (free, 1) : ([], 0)
        }

        private static func kin(
            of going: [WordCandidate],
            by behind: (SegmentTally.Word) -> SegmentTally.NextWords
        ) -> (words: [WordCandidate], sharedCount: Int) {
            guard going.count >= 4 else { return ([], 0) }
            let narrow = going.filter { !behind($0.word).isWide }
            let counts = counts(behind: narrow, by: behind)
            // By chance, a few values have the same words behind them. The end counts as one of them.
            let shared = Set(counts.filter { $0.value >= max(3, narrow.count / 6) }.keys)
            let isEndShared = narrow.count { $0.word.ends > 0 } * 2 >= narrow.count
            guard shared.count + (isEndShared ? 1 : 0) >= 2, !shared.isEmpty else { return ([], 0) }
            let alike = narrow.filter { word in
                let own = behind(word.word).hashes
                return own.count { shared.contains($0) } * 2 >= own.count && !own.isEmpty
            }
            return alike.count * 2 >= going.count ? (alike, shared.count) : ([], 0)
        }

        /// Returns the number of words before each word that follows some.
        private static func counts(
            behind words: [WordCandidate],
            by behind: (SegmentTally.Word) -> SegmentTally.NextWords
        ) -> [UInt32: Int] {
            words.reduce(into: [:]) { counts, word in
                for next in behind(word.word).hashes { counts[next, default: 0] += 1 }
            }
        }
    }

    /// Returns the words of an enumeration, if the values are some few words, each seen often.
    private static func enumeration(of words: [WordCandidate]) -> [String] {
        guard ValueTally.enumerationWords.contains(words.count),
            words.allSatisfy({ $0.links >= ValueTally.enumerationLinks })
        else {
            return []
        }
        return words.map(\.text.bytewise).sorted().map(\.string)
    }

    /// Joins the literals that differ by the case of their letters.
    private static func joined(_ literals: [WordCandidate]) -> [Literal] {
        Dictionary(grouping: literals, by: { ScreenWords.lowercased($0.text) })
            .map { _, group in
                let sorted = group.sorted {
                    ($1.links, $0.text.bytewise) < ($0.links, $1.text.bytewise)
                }
                return Literal(spellings: sorted.map(\.text), links: group.reduce(0) { $0 + $1.links })
            }
            .sorted { $0.spellings[0].bytewise < $1.spellings[0].bytewise }
    }
}
