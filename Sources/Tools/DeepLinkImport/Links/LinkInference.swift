package import DeepLinkCore

/// Infers the routes of links that are read several times, in bounded memory.
///
/// The links are read once for their origins, then once for each level of their paths, then once for their queries.
/// The draft does not depend on the order of the links.
///
/// ```swift
/// var inference = LinkInference()
/// repeat {
///     for link in links { inference.read(link) }
/// } while inference.finishPass()
/// ```
package struct LinkInference {
    /// The purpose of a pass over the links.
    private enum Pass {
        case origins
        case segments(depth: Int, Stage)
        case details
        case done
    }

    /// The purpose of a pass over one level of the paths.
    private enum Stage {
        /// The words are counted one by one, unless there are too many.
        case words

        /// The number of each word is estimated, at places with too many words.
        case estimates

        /// The frequent words are counted one by one, at places with too many words.
        case frequentWords
    }

    /// The depth from which on all segments are the rest of the path.
    private static let maximumDepth = 12

    /// The largest number of places whose segments are counted at a time.
    private static let maximumPlaceCount = 2048

    /// The largest number of words that are counted at a time.
    private static let maximumWeight = 400_000

    /// The largest number of places, and of literals at one place.
    private static let maximumNodeCount = 20_000
    private static let maximumLiteralCount = 256

    /// The largest number of keys in the queries of one route.
    private static let maximumKeyCount = 64

    /// The largest number of links of which all become cases.
    private static let maximumWholeCount = 2000
    private static let casesPerRoute = 5

    private var pass = Pass.origins
    private var tally = OriginTally()
    private let declared: [DraftOrigin]

    /// The origins.
    private(set) var choice = OriginChoice(OriginTally())

    /// The paths.
    private(set) var tree: RouteTree

    /// The tags of languages with which paths begin.
    private(set) var languages: [String] = []

    /// The number of links whose path begins with one of the server's own.
    private(set) var reservedLinks = 0

    /// The number of pairs by the keys that are of campaigns, and no parameters.
    private(set) var campaignKeys: [ByteText: Int] = [:]

    private var languageTally = LanguageTally()
    private var segments: [Int: SegmentTally] = [:]
    private var sketch = FrequencySketch()
    private var wordLimit = 4096
    private var isTooHeavy = false

    /// Creates an inference, possibly with origins and paths that are known already.
    init(declared: [DraftOrigin] = [], tree: RouteTree = RouteTree()) {
        self.declared = declared
        self.tree = tree
    }

    /// Creates an inference from links alone.
    package init() {
        self.init(declared: [])
    }

    /// The number of links.
    package var linkCount: Int { tally.linkCount }

    /// Reads a link.
    package mutating func read(_ link: DeepLink) {
        switch pass {
        case .origins: tally.note(link)
        case .segments(let depth, let stage):
            guard let routed = self.routed(link) else { return }
            count(routed, depth: depth, stage)
        case .details: noteDetails(of: link)
        case .done: break
        }
    }

    /// Ends a pass over the links, and returns whether they are to be read again.
    package mutating func finishPass() -> Bool {
        switch pass {
        case .origins:
            choice = OriginChoice(tally, declared: declared)
            pass = .segments(depth: 0, .words)
        case .segments(let depth, let stage): finishSegments(depth: depth, stage)
        case .details:
            tree.joinRests()
            pass = .done
        case .done: break
        }
        if case .done = pass { return false }
        return true
    }

    /// Returns the routed part of a link without its language, or `nil` if its origin is foreign or its path the server's.
    ///
    /// A stray link such as `/en/de` has two languages. A screen `de` would be the start page in that language.
    private func routed(_ link: DeepLink) -> RoutedLink? {
        guard let routed = choice.routed(link) else { return nil }
        guard !routed.beginsWithLabel, let first = routed.segments.first else { return routed }
        let rest = routed.segments.drop { segment in languages.contains { $0.bytewise == segment.bytewise } }
        guard rest.count == routed.segments.count else {
            return RoutedLink(segments: Array(rest), items: routed.items, beginsWithLabel: false)
        }
        return ReservedPath.contains(first) ? nil : routed
    }

    // MARK: Segments

    private mutating func count(_ link: RoutedLink, depth: Int, _ stage: Stage) {
        guard !isTooHeavy else { return }
        let (node, taken) = tree.walk(link.segments, beginsWithLabel: link.beginsWithLabel, limit: depth)
        guard taken == depth, tree[node].depth == depth, !tree[node].isRest else { return }
        guard depth < link.segments.count else {
            if stage == .words { segments[node, default: SegmentTally()].noteEnd() }
            return
        }
        if depth == 0, stage == .words, !link.beginsWithLabel { languageTally.note(link.segments) }
        let segment = link.segments[depth]
        let isValue = depth == 0 && link.beginsWithLabel
        // A declared path is followed as it is declared.
        guard tree[node].literals[segment.bytewise] == nil || isValue else { return }
        var isFrequent: ((String) -> Bool)?
        if stage != .words {
            guard let links = fullPlaces[node] else { return }
            guard stage == .frequentWords else { return sketch.add(segment, at: node) }
            let least = max(8, links / 1024)
            isFrequent = { [sketch] word in sketch.estimate(word, at: node) >= least }
        }
        let before = segments[node]?.weight ?? 0
        segments[node, default: SegmentTally()]
            .note(
                segment,
                rest: link.segments[(depth + 1)...],
                isValue: isValue,
                limit: wordLimit,
                isFrequent: isFrequent
            )
        weight += (segments[node]?.weight ?? 0) - before
        if weight > Self.maximumWeight, wordLimit > 64 { isTooHeavy = true }
    }

    /// The number of distinct words of all places, never less than before.
    private var weight = 0

    /// The links of the places with too many words, in the second pass over a level.
    private var fullPlaces: [Int: Int] = [:]

    private mutating func finishSegments(depth: Int, _ stage: Stage) {
        weight = 0
        if isTooHeavy {
            // Too many words at too many places: fewer of each are counted one by one.
            isTooHeavy = false
            wordLimit /= 4
            resetLevel()
            pass = .segments(depth: depth, .words)
            return
        }
        if depth == 0, stage == .words, languages.isEmpty {
            languages = languageTally.languages
            guard languages.isEmpty else {
                resetLevel()
                return
            }
        }
        let full = segments.filter(\.value.isFull)
        switch stage {
        case .words where !full.isEmpty:
            fullPlaces = full.mapValues(\.links)
            pass = .segments(depth: depth, .estimates)
            return
        case .estimates:
            for node in full.keys { segments[node] = SegmentTally(ends: segments[node]?.ends ?? 0) }
            pass = .segments(depth: depth, .frequentWords)
            return
        case .words, .frequentWords: break
        }
        settle(depth: depth)
        resetLevel()
        let isOpen = tree.nodes.contains { $0.depth == depth + 1 && !$0.isRest }
        pass = isOpen ? .segments(depth: depth + 1, .words) : .details
    }

    private mutating func resetLevel() {
        segments = [:]
        sketch = FrequencySketch()
        fullPlaces = [:]
    }

    /// Makes the nodes of the next level.
    private mutating func settle(depth: Int) {
        let places = segments.sorted { ($1.value.links, $0.key) < ($0.value.links, $1.key) }
        for (number, (node, tally)) in places.enumerated() where tally.links > 0 {
            let isRest = depth + 1 >= Self.maximumDepth || number >= Self.maximumPlaceCount
            let choice = SegmentChoice(tally, after: tree.literal(node), isFirst: depth == 0)
            let isDeclared = tree[node].value.map { tree[$0].declaredName != nil } ?? false
            if !isRest {
                for literal in choice.literals(upTo: Self.maximumLiteralCount)
                where !isDeclared && !isReserved(literal.spellings, at: node)
                    && tree.nodes.count < Self.maximumNodeCount
                {
                    let child = tree.add(.literal(spellings: literal.spellings), below: node)
                    tree[child].links = literal.links
                }
                for (sign, links) in tally.frequentSigns where !isDeclared {
                    let child = tree.add(.sign(sign), below: node)
                    tree[child].links = links
                }
            }
            guard choice.hasValues || isDeclared || isRest else { continue }
            let child = tree[node].value ?? tree.add(.value, below: node)
            tree[child].isRest = tree[child].isRest || isRest
            tree[child].enumeration = isDeclared ? [] : choice.enumeration
        }
    }

    /// Returns whether a first segment would be one of the server's own paths.
    private func isReserved(_ spellings: [String], at node: Int) -> Bool {
        node == 0 && spellings.contains { ReservedPath.contains($0) }
    }

    // MARK: Details

    private mutating func noteDetails(of link: DeepLink) {
        guard let routed = choice.routed(link) else { return }
        guard let routed = self.routed(link) else {
            if routed.segments.first.map({ ReservedPath.contains($0) }) == true { reservedLinks += 1 }
            return
        }
        var node = 0
        for (place, segment) in routed.segments.enumerated() {
            if tree[node].isRest {
                tree[node].values.note(segment)
                continue
            }
            guard let next = tree.child(of: node, segment, isValue: place == 0 && routed.beginsWithLabel) else {
                return
            }
            node = next
            switch tree[node].label {
            case .value, .sign: tree[node].values.note(segment)
            case .root, .literal: break
            }
        }
        tree[node].ends += 1
        let limit = linkCount <= Self.maximumWholeCount ? Self.maximumWholeCount : Self.casesPerRoute
        tree[node].samples.insert(link.text, limit: limit)
        note(routed.items, at: node)
    }

    private mutating func note(_ items: [QueryItem], at node: Int) {
        var counts: [ByteText: Int] = [:]
        for item in items { counts[item.name.bytewise, default: 0] += 1 }
        for item in items {
            let name = item.name.bytewise
            guard !CampaignKey.contains(item.name) else {
                if campaignKeys.count < Self.maximumKeyCount || campaignKeys[name] != nil {
                    campaignKeys[name, default: 0] += 1
                }
                continue
            }
            guard !item.name.isEmpty, item.name.utf8.count <= 64 else { continue }
            tree[node].keys[name, default: ValueTally()].note(item.value, isRepeated: counts[name] ?? 0 > 1)
            guard tree[node].keys.count > Self.maximumKeyCount else { continue }
            // The keys with the smallest hashes stay, whatever their order.
            let last = tree[node].keys.keys.max { StableHash.hash($0.string) < StableHash.hash($1.string) }
            if let last { tree[node].keys[last] = nil }
        }
    }
}

/// The keys that campaigns add to links, which are no parameters of a route.
enum CampaignKey {
    private static let names: Set<ByteText> = [
        "gclid", "gbraid", "wbraid", "fbclid", "msclkid", "dclid", "twclid", "ttclid", "igshid", "mc_cid", "mc_eid",
        "_ga",
        "_gl", "yclid", "li_fat_id", "_branch_match_id", "_branch_referrer", "sig", "exp",
    ]

    /// Returns whether a key of a query is one of campaigns, or of signatures.
    static func contains(_ name: String) -> Bool {
        name.utf8.starts(with: "utm_".utf8) || names.contains(name.bytewise)
    }
}
