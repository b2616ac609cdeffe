import DeepLinkCore

/// The order in which the shapes of links become rules.
///
/// On both platforms the first matching rule applies.
///
/// Links that open in the app have priority. A shape for the browser, or for other apps alone, becomes a rule only if the
/// rule takes no link from the app.
struct ShapeOrder {
    /// The app's shapes that come first, since they are narrower than the browser's shapes.
    private(set) var first: [PlacedShape] = []

    /// The shapes with a rule that excludes them from the app.
    private(set) var excluded: [PlacedShape] = []

    /// The app's other shapes.
    private(set) var rest: [PlacedShape] = []

    /// The shapes whose links with a key of the query belong to another app, each with the key, as far as a rule can say so.
    private(set) var keyed: [(shape: PlacedShape, key: String)] = []

    /// The routes for the browser or for other apps of which some links open in the app, possibly repeated.
    private(set) var inexact: [Int] = []

    /// Whether a shape opens in the app.
    var opens: Bool { !first.isEmpty || !rest.isEmpty }

    /// Orders shapes.
    ///
    /// - Complexity: the product of the number of shapes for the browser and of all shapes that begin with the same
    ///   literals. After an interruption, no shape is excluded.
    /// - Parameters:
    ///   - shapes: the shapes.
    ///   - others: shapes with later rules that may match links of these shapes.
    ///   - isKept: returns whether a rule that excludes a shape would also exclude links for the app outside these
    ///     shapes.
    ///   - hasKeys: whether rules may distinguish links by the keys of their query.
    ///   - platform: the platform of the rules.
    ///   - isClose: whether shapes are compared as closely as their rules are, as the files of several apps need. The file
    ///     of one app stays as it always was.
    ///   - interruption: ends the work.
    init(
        _ shapes: [PlacedShape],
        before others: [PlacedShape] = [],
        keeping isKept: (PlacedShape) -> Bool = { _ in false },
        hasKeys: Bool = false,
        platform: AssociationPlatform,
        isClose: Bool = false,
        interruption: Interruption = .never
    ) {
        /// Returns whether a rule for one shape may match a link of another.
        func isTaken(_ link: PlacedShape, by rule: PlacedShape) -> Bool {
            rule.mayTake(link, on: platform, isClose: isClose)
        }
        let app = shapes.filter { $0.opens == .app }
        // Rules distinguish links by their paths alone.
        inexact = app.flatMap(\.path.keptRoutes)
        separateKeys(of: app.filter { !$0.path.keptKeys.isEmpty }, among: app, hasKeys: hasKeys, taken: isTaken)
        // A shape that no rule for the app matches stays in the browser without a rule.
        var web = shapes.filter { $0.opens == .web }
        if !web.isEmpty {
            let all = ShapeIndex(app + others.filter { $0.opens == .app })
            web = web.filter { shape in
                !interruption.isDue && all.contains(near: shape) { isTaken(shape, by: $0) }
            }
        }
        guard !web.isEmpty else {
            rest = app
            return
        }
        let kept = ShapeIndex(web)
        for shape in app {
            if !interruption.isDue,
                !kept.contains(near: shape, where: { isTaken($0, by: shape) && !shape.isNarrower(than: $0) }),
                kept.contains(near: shape, where: { isTaken(shape, by: $0) })
            {
                first.append(shape)
            } else {
                rest.append(shape)
            }
        }
        let (earlier, later) = (ShapeIndex(first), ShapeIndex(rest))
        for shape in web where !interruption.isDue {
            // Words take only links of their own, unless a key of the query chooses between two routes.
            let takesLinks = later.contains(near: shape) {
                isTaken($0, by: shape) && (!shape.isWords || shape.isPeer(of: $0))
            }
            if isKept(shape) || takesLinks {
                inexact += shape.path.keptRoutes
            } else {
                excluded.append(shape)
                let losesLinks = earlier.contains(near: shape) {
                    !(isClose && $0.isPlainWords) && isTaken(shape, by: $0)
                }
                if losesLinks { inexact += shape.path.keptRoutes }
            }
        }
    }
}

extension ShapeOrder {
    /// Finds the keys of the query by which a rule can keep links from the app, and names the routes behind other keys.
    private mutating func separateKeys(
        of shapes: [PlacedShape],
        among app: [PlacedShape],
        hasKeys: Bool,
        taken isTaken: (_ link: PlacedShape, _ rule: PlacedShape) -> Bool
    ) {
        guard !shapes.isEmpty else { return }
        let all = ShapeIndex(app)
        for shape in shapes {
            for key in shape.path.keptKeys {
                // To another shape of the path, the key may mean nothing.
                let isElsewhere = all.contains(near: shape) { other in
                    isTaken(other, shape)
                        && !other.path.keptKeys.contains { $0.name.bytewise == key.name.bytewise }
                }
                let isSeparate = hasKeys && !isElsewhere
                if isSeparate { keyed.append((shape, key.name)) }
                if !isSeparate || !key.hasValue { inexact += key.routes }
            }
        }
    }
}

/// The orders of a host's shapes: shapes with a part in the fragment come first.
struct LinkOrder {
    /// The shapes with a part in the fragment.
    ///
    /// Shapes with a path come first, then shapes without one. On Android, rules of the latter apply to any path.
    let fragments: [ShapeOrder]

    /// The shapes without a part in the fragment.
    let paths: ShapeOrder

    /// The routes for the browser or for other apps of which some links with a query in their fragment open in the app,
    /// possibly repeated.
    let openedByQueries: [Int]

    /// Orders shapes.
    ///
    /// See ``ShapeOrder``.
    ///
    /// - Parameters:
    ///   - shapes: the shapes.
    ///   - ignoresFragments: whether some paths are links with any fragment, because the fragment is not part of them.
    ///   - platform: the platform of the rules.
    ///   - isClose: whether shapes are compared as closely as their rules are.
    ///   - interruption: ends the work.
    init(
        _ shapes: [PlacedShape],
        ignoresFragments: Bool = false,
        platform: AssociationPlatform,
        isClose: Bool = false,
        interruption: Interruption = .never
    ) {
        let split = shapes.filter { $0.fragment != nil }
        let bare = split.filter { $0.path.segments.isEmpty }
        let whole = split.isEmpty ? [] : shapes.filter { $0.fragment == nil && $0.opens == .app }
        // Behind a whole path, the fragment may contain only slashes, or a query. The rule for a value also matches
        // these.
        let wholePaths = ShapeIndex(whole)
        let isKept = { (shape: PlacedShape) in
            guard ignoresFragments || shape.fragment?.segments.first?.words == nil else { return false }
            return shape.path.segments.isEmpty
                ? !whole.isEmpty
                : wholePaths.contains(near: PlacedShape(path: shape.path)) { shape.path.mayTake($0.path) }
        }
        fragments = [
            ShapeOrder(
                split.filter { !$0.path.segments.isEmpty },
                before: bare,
                keeping: isKept,
                platform: platform,
                isClose: isClose,
                interruption: interruption
            ),
            ShapeOrder(
                bare,
                keeping: isKept,
                platform: platform,
                isClose: isClose,
                interruption: interruption
            ),
        ]
        // Behind the path of a link with a key, a fragment may lead elsewhere.
        paths = ShapeOrder(
            shapes.filter { $0.fragment == nil },
            hasKeys: split.isEmpty,
            platform: platform,
            isClose: isClose,
            interruption: interruption
        )
        // The rule that excludes a page ends before a query, since no pattern can express a question mark.
        let withFragments = split.filter { $0.opens == .app }
        let behindWords = ShapeIndex(withFragments)
        let behindPaths = ShapeIndex(withFragments.filter { $0.mayTakeQueryAlone(on: platform) })
        openedByQueries =
            shapes.filter { shape in
                shape.opens == .web && !interruption.isDue
                    && (shape.fragment == nil ? behindPaths : behindWords)
                        .contains(near: shape) { $0.mayTakeQueries(of: shape, on: platform) }
            }
            .flatMap(\.path.keptRoutes)
    }

    /// The routes for the browser or for other apps of which some links open in the app, possibly repeated.
    var inexact: [Int] { fragments.flatMap(\.inexact) + paths.inexact }
}

extension PlacedShape {
    /// Whether each segment has only one text, or a finite list of them.
    fileprivate var isWords: Bool { path.isWords && fragment?.isWords != false }

    /// Whether rules match the words of the shape and nothing else, since no word has a character with a special meaning.
    fileprivate var isPlainWords: Bool {
        fragment == nil && path.isWords
            && path.segments.allSatisfy {
                $0.words?.allSatisfy { AndroidRules.plain($0).bytewise == $0.bytewise } == true
            }
    }

    /// Returns whether a rule for the shape may match a link of another.
    ///
    /// A rule for a fragment ends with a `*`, since a query may follow.
    fileprivate func mayTake(_ other: PlacedShape, on platform: AssociationPlatform, isClose: Bool) -> Bool {
        guard let fragment else { return path.mayTake(other.path, isClose: isClose) }
        // Without a path, a rule on Android applies to any path.
        guard path.segments.isEmpty || path.mayTake(other.path), let link = other.fragment else { return false }
        if fragment.mayBegin(link) { return true }
        guard let rest = fragmentBehindValue(on: platform) else { return false }
        // A rule that excludes a shape ends with its last segment.
        return opens == .web ? rest.mayTake(link) : rest.mayBegin(link)
    }

    /// The shape of further fragments that rules for the shape match, or `nil` without any.
    ///
    /// On Android the pattern of a value before other segments is `*`. In the rule for a fragment without its leading slash,
    /// nothing precedes it, so that it also matches an empty text.
    private func fragmentBehindValue(on platform: AssociationPlatform) -> LinkShape? {
        guard platform == .android, let fragment, fragment.segments.count > 1, let value = fragment.segments.first,
            opens == .web ? value.words == nil : value.matchesAnyText(on: platform)
        else { return nil }
        return fragment.with(Array(fragment.segments.dropFirst()), continues: fragment.continues)
    }

    /// Returns whether a rule for the fragment of the shape may match a fragment that is only a query, or only slashes.
    fileprivate func mayTakeQueryAlone(on platform: AssociationPlatform) -> Bool {
        fragment.map { $0.segments.count < 2 && $0.segments.allSatisfy { $0.matchesAnyText(on: platform) } } ?? false
    }

    /// Returns whether a rule for the shape, which has a fragment, may match a link of another that ends in a query in its
    /// fragment.
    fileprivate func mayTakeQueries(of other: PlacedShape, on platform: AssociationPlatform) -> Bool {
        guard let fragment else { return false }
        let isAnyPath = path.segments.isEmpty && (platform == .android || path.continues)
        guard isAnyPath || path.mayTake(other.path, isClose: true) && path.mayMatch(other.path, on: platform) else {
            return false
        }
        guard let link = other.fragment else { return mayTakeQueryAlone(on: platform) }
        return link.segments.last?.endsBeforeQueries(on: platform) == true
            && [fragment, fragmentBehindValue(on: platform)]
                .contains { $0?.mayBegin(link) == true && $0?.mayMatch(link, on: platform) == true }
    }

    /// Returns whether a link that matches both belongs to this shape (decision record 12).
    fileprivate func isNarrower(than other: PlacedShape) -> Bool {
        let (segments, others) = (segments, other.segments)
        for (own, another) in zip(segments, others) where own.rank != another.rank { return own.rank < another.rank }
        return segments.count > others.count
    }

    /// Returns whether neither of two shapes is narrower.
    fileprivate func isPeer(of other: PlacedShape) -> Bool { !isNarrower(than: other) && !other.isNarrower(than: self) }
}

extension LinkShape {
    /// Whether each segment has only one text, or a finite list of them.
    fileprivate var isWords: Bool { !continues && segments.allSatisfy { $0.words != nil } }

    /// Returns whether a rule for the shape may match a link of another.
    ///
    /// A parameter matches all that follows, because `*` doesn't end at a slash. In a close comparison, a value at the end
    /// needs a character, as in rules without another value before it.
    fileprivate func mayTake(_ other: LinkShape, isClose: Bool = false) -> Bool {
        Self.mayTake(
            segments[...],
            continues: continues,
            link: other.segments[...],
            continues: other.continues,
            needsText: isClose && segments.dropLast().allSatisfy { $0.words != nil }
        )
    }

    /// Returns whether texts may fit the segments of both shapes, as far as their types tell, up to the first segment that
    /// matches any text.
    fileprivate func mayMatch(_ other: LinkShape, on platform: AssociationPlatform) -> Bool {
        zip(segments.prefix { !$0.matchesAnyText(on: platform) }, other.segments)
            .allSatisfy { $0.mayMatch($1, on: platform) }
    }

    /// Returns whether a rule for texts that begin with one of the shape may match a link of another.
    fileprivate func mayBegin(_ other: LinkShape) -> Bool {
        if Self.mayTake(segments[...], continues: true, link: other.segments[...], continues: other.continues) {
            return true
        }
        // The last text may be the beginning of a longer one.
        guard let words = segments.last?.words, other.segments.count >= segments.count else { return false }
        let text = other.segments[segments.count - 1]
        let isBeginning = text.words.map { texts in
            texts.contains { text in words.contains { text.utf8.starts(with: $0.utf8) } }
        }
        return isBeginning != false
            && Self.mayTake(
                segments.dropLast(),
                continues: true,
                link: other.segments.prefix(segments.count - 1),
                continues: false
            )
    }

    private static func mayTake(
        _ rule: ArraySlice<Segment>,
        continues: Bool,
        link: ArraySlice<Segment>,
        continues linkContinues: Bool,
        needsText: Bool = false
    ) -> Bool {
        guard let segment = rule.first else { return link.isEmpty || continues }
        // A `*` at the end also matches nothing, behind a slash that is ignored.
        guard let text = link.first else {
            return linkContinues || (rule.count == 1 && segment.words == nil && !needsText)
        }
        guard segment.mayMatch(text) else { return false }
        let rest = link.dropFirst()
        return mayTake(
            rule.dropFirst(),
            continues: continues,
            link: rest,
            continues: linkContinues,
            needsText: needsText
        )
            || segment.words == nil
                && mayTake(rule, continues: continues, link: rest, continues: linkContinues, needsText: needsText)
    }
}

extension LinkShape.Segment {
    /// Whether the pattern that excludes the segment at the end of a fragment does not match queries behind it.
    fileprivate func endsBeforeQueries(on platform: AssociationPlatform) -> Bool {
        switch self {
        case .value(.uuid), .value(.date): platform == .ios
        default: words != nil
        }
    }

    /// Whether the pattern of the segment matches any text.
    ///
    /// The pattern of a number does on Android alone.
    fileprivate func matchesAnyText(on platform: AssociationPlatform) -> Bool {
        switch self {
        case .literal, .value(.enumeration), .value(.bool), .value(.uuid), .value(.date): false
        case .value(.int), .value(.double): platform == .android
        case .compound, .value(.dateTime), .value(.string): true
        }
    }

    /// Returns whether a text may fit both segments, as far as their types tell.
    ///
    /// The pattern of a number on Apple's systems matches each text that begins like one.
    fileprivate func mayMatch(_ other: LinkShape.Segment, on platform: AssociationPlatform) -> Bool {
        if other.matchesAnyText(on: platform) { return true }
        return switch (self, words, other.words) {
        case (.value(.int), _, let texts?), (.value(.double), _, let texts?):
            texts.contains { $0.utf8.first.map { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") } == true }
        case (_, let words?, nil): words.contains { other.accepts($0) }
        case (_, nil, let texts?): texts.contains { accepts($0) }
        default: true
        }
    }

    /// Returns whether a rule for the segment may match a text of another.
    fileprivate func mayMatch(_ other: LinkShape.Segment) -> Bool {
        guard let words else { return true }
        return words.contains { other.accepts($0) }
    }
}
