import DeepLinkCore

/// The order in which the shapes of links become rules, of which the first that fits decides on both platforms.
///
/// What opens in the app comes before everything: a shape that is kept in the browser becomes a rule only where that takes
/// no link from the app.
struct ShapeOrder {
    /// The shapes of the app that come first: narrower than what is kept in the browser.
    private(set) var first: [LinkShape] = []

    /// The shapes that are kept in the browser by a rule of their own.
    private(set) var excluded: [LinkShape] = []

    /// The other shapes of the app.
    private(set) var rest: [LinkShape] = []

    /// The routes that should be kept in the browser, and some of whose links open in the app, each once or more.
    private(set) var inexact: [Int] = []

    /// Puts shapes in order.
    ///
    /// - Complexity: the shapes in the browser times all.
    init(_ shapes: [LinkShape]) {
        let app = shapes.filter { $0.opens == .app }
        // Paths are all that rules tell apart.
        inexact = app.flatMap(\.browserRoutes)
        // What no rule for the app takes stays in the browser by itself.
        let web = shapes.filter { shape in shape.opens == .web && app.contains { $0.mayTake(shape) } }
        guard !web.isEmpty else {
            rest = app
            return
        }
        for shape in app {
            if web.allSatisfy({ !shape.mayTake($0) || shape.isNarrower(than: $0) }),
                web.contains(where: { $0.mayTake(shape) })
            {
                first.append(shape)
            } else {
                rest.append(shape)
            }
        }
        for shape in web {
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
    /// Whether only one text, or some that can be listed, may stand in each segment.
    fileprivate var isWords: Bool { !continues && segments.allSatisfy { $0.words != nil } }

    /// Returns whether a rule for the shape may take a link of another: a parameter stands for all that follows, since `*`
    /// does not end at a slash.
    fileprivate func mayTake(_ other: LinkShape) -> Bool {
        Self.mayTake(segments[...], continues: continues, other.segments[...], continues: other.continues)
    }

    private static func mayTake(
        _ rule: ArraySlice<Segment>,
        continues: Bool,
        _ link: ArraySlice<Segment>,
        continues linkContinues: Bool
    ) -> Bool {
        guard let segment = rule.first else { return link.isEmpty || continues }
        // A `*` at the end takes nothing too, behind a slash that means nothing.
        guard let text = link.first else { return linkContinues || (rule.count == 1 && segment.words == nil) }
        guard segment.mayMatch(text) else { return false }
        if mayTake(rule.dropFirst(), continues: continues, link.dropFirst(), continues: linkContinues) { return true }
        return segment.words == nil && mayTake(rule, continues: continues, link.dropFirst(), continues: linkContinues)
    }

    /// Returns whether a link that fits both is meant to be of this shape (decision record 12).
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
