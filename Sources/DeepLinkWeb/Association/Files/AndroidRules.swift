import DeepLinkCore

/// The components for Android that shapes are converted into, such that all generations of its parser read them alike.
///
/// `?` replaces characters with a special meaning in one of the generations; `*` is at the end, or before a slash that
/// no value has; `?*` is only at the end, and never behind a `*` (decision record 20).
enum AndroidRules {
    /// The most rules for the words of one shape.
    private static let maximumSpelledCount = 32

    /// The characters with a special meaning in one of the generations.
    private static let special = Set(".+[]\\{}^$*?".unicodeScalars)

    /// The prefixes of patterns while a shape is read.
    private struct Beginnings {
        var texts = [""]
        var hasStar = false

        /// Whether the texts end in a `*`, so that nothing can follow.
        var isOpen = false

        mutating func append(_ alternatives: [String]) {
            texts = texts.flatMap { text in alternatives.map { text + $0 } }
        }
    }

    /// Returns a shape as precisely as a rule can express it: a value that may have a slash matches everything behind
    /// it.
    static func widened(_ shape: LinkShape) -> LinkShape {
        guard shape.opens == .app,
            let index = shape.segments.firstIndex(where: { $0.words == nil && $0.mayHaveSlash }),
            index < shape.segments.count - 1
        else { return shape }
        return LinkShape(
            segments: Array(shape.segments.prefix(index + 1)),
            continues: true,
            opens: shape.opens,
            browserRoutes: shape.browserRoutes
        )
    }

    /// Returns the components for paths with repeated slashes, which are ignored in a link.
    static func slashRules(for shape: LinkShape) -> [AssociationRule] {
        var patterns: [String] = []
        var beginnings = Beginnings()
        for (index, segment) in shape.segments.enumerated() {
            append(segment, isLast: index == shape.segments.count - 1, to: &beginnings)
            guard !beginnings.isOpen else { break }
            patterns += beginnings.texts.map { $0 + "//*" }
        }
        return patterns.map { AssociationRule(path: $0) }
    }

    /// Returns the components of a shape: the path, and the path with a trailing slash.
    static func rules(for shape: LinkShape) -> [AssociationRule] {
        var patterns: [String] = []
        var beginnings = Beginnings()
        for (index, segment) in shape.segments.enumerated() where !beginnings.isOpen {
            append(segment, isLast: index == shape.segments.count - 1, to: &beginnings)
        }
        if shape.segments.isEmpty {
            patterns.append("/")
        } else {
            patterns += beginnings.texts
            if !beginnings.isOpen { patterns += beginnings.texts.map { shape.continues ? $0 + "/*" : $0 + "/" } }
        }
        return patterns.map { AssociationRule(path: $0) }
    }

    private static func append(_ segment: LinkShape.Segment, isLast: Bool, to beginnings: inout Beginnings) {
        if case .literal(let text) = segment { return beginnings.append(["/" + plain(text)]) }
        if let words = segment.words, beginnings.texts.count * words.count <= maximumSpelledCount {
            return beginnings.append(words.map { "/" + plain($0) })
        }
        switch segment {
        case .value(.uuid): return beginnings.append(["/????????-????-????-????-????????????"])
        case .value(.date): return beginnings.append(["/????-??-??"])
        default: break
        }
        if isLast || segment.mayHaveSlash {
            beginnings.append([beginnings.hasStar ? "/*" : "/?*"])
            beginnings.isOpen = true
        } else {
            beginnings.append(["/*"])
            beginnings.hasStar = true
        }
    }

    /// Returns the components that exclude a shape from the app; none if they would exclude others too.
    ///
    /// Text is literal: the first generation may fail to match it, but it never matches another link.
    static func exclusions(for shape: LinkShape) -> [AssociationRule] {
        var beginnings = Beginnings()
        for (index, segment) in shape.segments.enumerated() {
            if case .literal(let text) = segment {
                beginnings.append(["/" + text])
            } else if let words = segment.words {
                guard beginnings.texts.count * words.count <= maximumSpelledCount else { return [] }
                beginnings.append(words.map { "/" + $0 })
            } else {
                let isLast = index == shape.segments.count - 1
                beginnings.append([isLast && !beginnings.hasStar ? "/?*" : "/*"])
                beginnings.hasStar = true
                beginnings.isOpen = isLast
            }
        }
        if shape.segments.isEmpty { return [AssociationRule(path: "/", isExcluded: true)] }
        let further = beginnings.isOpen ? [] : beginnings.texts.map { $0 + (shape.continues ? "/*" : "/") }
        return (beginnings.texts + further).map { AssociationRule(path: $0, isExcluded: true) }
    }

    /// Returns a text as an expression.
    static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { special.contains($0) ? "?" : $0 }))
    }
}
