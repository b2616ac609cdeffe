import DeepLinkCore

/// The order in which the shapes of links become rules; on both platforms the first match decides.
///
/// Links that open in the app have priority: a shape for the browser becomes a rule only if that takes no link from the
/// app.
struct ShapeOrder {
    /// The shapes of the app that come first: narrower than those for the browser.
    private(set) var first: [LinkShape] = []

    /// The shapes that a rule of their own excludes from the app.
    private(set) var excluded: [LinkShape] = []

    /// The other shapes of the app.
    private(set) var rest: [LinkShape] = []

    /// The routes for the browser some of whose links open in the app, possibly repeated.
    private(set) var inexact: [Int] = []

    /// Orders shapes.
    ///
    /// - Complexity: the product of the shapes for the browser and all shapes; after an interruption, none is excluded.
    init(_ shapes: [LinkShape], interruption: Interruption = .never) {
        let app = shapes.filter { $0.opens == .app }
        // Rules distinguish links by their paths alone.
        inexact = app.flatMap(\.browserRoutes)
        // A shape that no rule for the app matches stays in the browser without a rule.
        let web = shapes.filter { shape in
            shape.opens == .web && !interruption.isDue && app.contains { $0.mayTake(shape) }
        }
        guard !web.isEmpty else {
            rest = app
            return
        }
        for shape in app {
            if !interruption.isDue, web.allSatisfy({ !shape.mayTake($0) || shape.isNarrower(than: $0) }),
                web.contains(where: { $0.mayTake(shape) })
            {
                first.append(shape)
            } else {
                rest.append(shape)
            }
        }
        for shape in web where !interruption.isDue {
            if rest.contains(where: { shape.mayTake($0) && !shape.isWords }) {
                inexact += shape.browserRoutes
            } else {
                excluded.append(shape)
                if first.contains(where: { $0.mayTake(shape) }) { inexact += shape.browserRoutes }
            }
        }
    }
}

extension LinkShape {
    /// Whether each segment has only one text, or a finite list of them.
    fileprivate var isWords: Bool { !continues && segments.allSatisfy { $0.words != nil } }

    /// Returns whether a rule for the shape may match a link of another: a parameter matches all that follows, because
    /// `*` doesn't end at a slash.
    fileprivate func mayTake(_ other: LinkShape) -> Bool {
        Self.mayTake(segments[...], continues: continues, link: other.segments[...], continues: other.continues)
    }

    private static func mayTake(
        _ rule: ArraySlice<Segment>,
        continues: Bool,
        link: ArraySlice<Segment>,
        continues linkContinues: Bool
    ) -> Bool {
        guard let segment = rule.first else { return link.isEmpty || continues }
        // A `*` at the end also matches nothing, behind a slash that is ignored.
        guard let text = link.first else { return linkContinues || (rule.count == 1 && segment.words == nil) }
        guard segment.mayMatch(text) else { return false }
        if mayTake(rule.dropFirst(), continues: continues, link: link.dropFirst(), continues: linkContinues) {
            return true
        }
        return segment.words == nil
            && mayTake(rule, continues: continues, link: link.dropFirst(), continues: linkContinues)
    }

    /// Returns whether a link that matches both belongs to this shape (decision record 12).
    fileprivate func isNarrower(than other: LinkShape) -> Bool {
        for (own, another) in zip(segments, other.segments) where own.rank != another.rank {
            return own.rank < another.rank
        }
        return segments.count > other.segments.count
    }
}

extension LinkShape.Segment {
    /// Returns whether a rule for the segment may match a text of another.
    fileprivate func mayMatch(_ other: LinkShape.Segment) -> Bool {
        guard let words else { return true }
        return words.contains { other.accepts($0) }
    }
}
