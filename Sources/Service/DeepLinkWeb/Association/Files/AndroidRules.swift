import DeepLinkCore

/// The components for Android that shapes are converted into, such that all generations of its parser read them alike.
///
/// `?` replaces characters with a special meaning in one of the generations. `*` is at the end, or before a slash that
/// cannot occur in a value. `?*` is only at the end, and never behind a `*` (decision record 20).
enum AndroidRules {
    /// The maximum number of rules for the words of one shape.
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

    /// The rules that exclude fragments that begin like a segment of a path.
    ///
    /// Other fragments may be queries, and so part of a link. No pattern can express a literal question mark.
    static let foreignFragments = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        .flatMap { letter in
            ["\(letter)*", "/\(letter)*"].map { AssociationRule(path: nil, fragment: $0, isExcluded: true) }
        }

    /// Returns a shape as precisely as a rule can express it.
    ///
    /// A value that may contain a slash matches everything after it.
    static func widened(_ shape: PlacedShape) -> PlacedShape {
        guard shape.opens == .app else { return shape }
        return PlacedShape(path: widened(shape.path), fragment: shape.fragment.map(widened))
    }

    private static func widened(_ shape: LinkShape) -> LinkShape {
        guard let index = shape.segments.firstIndex(where: { $0.words == nil && $0.mayHaveSlash }),
            index < shape.segments.count - 1
        else { return shape }
        return shape.with(Array(shape.segments.prefix(index + 1)), continues: true)
    }

    /// Returns the components for repeated slashes, since links ignore them.
    static func slashRules(for shape: PlacedShape) -> [AssociationRule] {
        let patterns = slashPatterns(for: shape.path)
        guard let fragment = shape.fragment else { return patterns.map { AssociationRule(path: $0) } }
        return patterns.map { AssociationRule(path: $0, fragment: "?*") }
            + product(shape.path, ["//*"] + bothForms(of: slashPatterns(for: fragment)))
    }

    private static func slashPatterns(for shape: LinkShape) -> [String] {
        var patterns: [String] = []
        var beginnings = Beginnings()
        for (index, segment) in shape.segments.enumerated() {
            append(segment, isLast: index == shape.segments.count - 1, to: &beginnings)
            guard !beginnings.isOpen else { break }
            patterns += beginnings.texts.map { $0 + "//*" }
        }
        return patterns
    }

    /// Returns the components of a shape.
    ///
    /// A query may follow its fragment.
    static func rules(for shape: PlacedShape) -> [AssociationRule] {
        guard let fragment = shape.fragment else { return paths(for: shape.path).map { AssociationRule(path: $0) } }
        let beginnings = beginnings(of: fragment)
        let patterns =
            fragment.segments.isEmpty
            ? ["?*"] : beginnings.isOpen ? beginnings.texts : beginnings.texts.map { continued($0, beginnings) }
        return product(shape.path, bothForms(of: patterns))
    }

    /// Returns the patterns of a shape without segments: the root, and every path if it continues.
    private static func root(of shape: LinkShape) -> [String] { shape.continues ? ["/", "/*"] : ["/"] }

    /// Returns the patterns of a path: without and with a trailing slash.
    private static func paths(for shape: LinkShape) -> [String] {
        guard !shape.segments.isEmpty else { return root(of: shape) }
        let beginnings = beginnings(of: shape)
        guard !beginnings.isOpen else { return beginnings.texts }
        return beginnings.texts + beginnings.texts.map { shape.continues ? $0 + "/*" : $0 + "/" }
    }

    /// Returns a pattern for texts that begin with a match of another, in which `?*` never follows a `*`.
    private static func continued(_ pattern: String, _ beginnings: Beginnings) -> String {
        guard beginnings.hasStar else { return pattern + "*" }
        let mark = UInt8(ascii: "?")
        return String(decoding: pattern.utf8.reversed().drop { $0 == mark }.reversed(), as: UTF8.self) + "*"
    }

    /// Returns the components of a path with each of some fragments.
    ///
    /// The path of a bare host is empty. Only a rule for any path matches it.
    private static func product(_ shape: LinkShape, _ fragments: [String]) -> [AssociationRule] {
        let paths: [String?] = shape.segments.isEmpty ? [nil] : paths(for: shape)
        return paths.flatMap { path in fragments.map { AssociationRule(path: path, fragment: $0) } }
    }

    /// Returns patterns of fragments with and without their leading slash, since links ignore it.
    private static func bothForms(of patterns: [String]) -> [String] {
        patterns.flatMap { pattern in
            let hasSlash = pattern.utf8.first == UInt8(ascii: "/")
            return hasSlash ? [pattern, String(Substring(pattern.utf8.dropFirst()))] : [pattern]
        }
    }

    private static func beginnings(of shape: LinkShape) -> Beginnings {
        var beginnings = Beginnings()
        for (index, segment) in shape.segments.enumerated() where !beginnings.isOpen {
            append(segment, isLast: index == shape.segments.count - 1, to: &beginnings)
        }
        return beginnings
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

    /// Returns the components that exclude a shape from the app, or none if they would also exclude other shapes.
    ///
    /// Text is literal. The first generation may fail to match it, but never matches another link.
    static func exclusions(for shape: PlacedShape) -> [AssociationRule] {
        guard let fragment = shape.fragment else {
            return exclusions(for: shape.path).map { AssociationRule(path: $0, isExcluded: true) }
        }
        let paths: [String?] = shape.path.segments.isEmpty ? [nil] : exclusions(for: shape.path)
        let fragments = fragment.segments.isEmpty ? ["?*"] : bothForms(of: exclusions(for: fragment))
        return paths.flatMap { path in
            fragments.map { AssociationRule(path: path, fragment: $0, isExcluded: true) }
        }
    }

    private static func exclusions(for shape: LinkShape) -> [String] {
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
        if shape.segments.isEmpty { return root(of: shape) }
        let further = beginnings.isOpen ? [] : beginnings.texts.map { $0 + (shape.continues ? "/*" : "/") }
        return beginnings.texts + further
    }

    /// Returns a text as an expression.
    static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { special.contains($0) ? "?" : $0 }))
    }
}
