import DeepLinkCore
import DeepLinkFormats

/// One component of an app, or one of its legacy paths: its patterns and its effect.
///
/// Each pattern is compiled when it is first matched, because most are never reached.
struct AppleRule {
    /// The settings with which a rule's patterns are compiled.
    struct Layout {
        fileprivate let variables: AppleVariables
        fileprivate let caseSensitive: Bool

        /// Compiles a pattern.
        ///
        /// - Throws: ``MatchingEffortError``.
        func pattern(
            _ text: String,
            spending effort: inout MatchingEffort
        ) throws(MatchingEffortError) -> ApplePattern {
            try ApplePattern(text, variables: variables, caseSensitive: caseSensitive, spending: &effort)
        }
    }

    /// The cost of parsing a rule without its patterns, in steps.
    private static let readingCost = 64

    /// The cost of comparing a name with a name of the query, in steps.
    private static let comparisonCost = 8

    /// The index in the list of components or paths.
    let index: Int

    /// The component as written in the file.
    let source: JSONValue

    /// Whether the rule excludes matching URLs from the app.
    let isExcluded: Bool

    private let percentEncoded: Bool
    private let layout: Layout
    private let path: ApplePathPattern?
    private let query: String?
    private let items: [(name: String, pattern: String)]
    private let fragment: String?

    /// Reads a component, with its defaults.
    private init(_ index: Int, component source: JSONValue, defaults: AppleDefaults, variables: AppleVariables) {
        self.index = index
        self.source = source
        let values = defaults.overridden(by: source)
        isExcluded = values.bool("exclude", default: false)
        layout = Layout(variables: variables, caseSensitive: values.bool("caseSensitive", default: true))
        percentEncoded = values.bool("percentEncoded", default: true)
        path = values.text("/").map(ApplePathPattern.init)
        fragment = values.text("#")
        query = values.text("?")
        guard case .object(let object)? = values.values["?"] else {
            items = []
            return
        }
        let texts = object.compactMap { name, value -> (String, String)? in
            if case .string(let text) = value { (name.string, text) } else { nil }
        }
        // A single value that isn't a string invalidates the whole dictionary.
        items = texts.count == object.count ? texts : []
    }

    /// Reads a legacy path.
    ///
    /// It begins with `NOT ` if it excludes URLs from the app.
    private init(_ index: Int, legacyPath text: String, defaults: AppleDefaults, variables: AppleVariables) {
        self.index = index
        source = .string(text)
        layout = Layout(variables: variables, caseSensitive: defaults.bool("caseSensitive", default: true))
        percentEncoded = defaults.bool("percentEncoded", default: true)
        isExcluded = text.utf8.starts(with: "NOT ".utf8)
        let pattern = isExcluded ? String(Substring(text.utf8.dropFirst(4).drop { $0 == UInt8(ascii: " ") })) : text
        path = ApplePathPattern(pattern)
        query = nil
        items = []
        fragment = nil
    }

    /// Reads an item of a list of components or legacy paths, or returns `nil` if it has the wrong type.
    ///
    /// - Throws: ``MatchingEffortError``.
    init?(
        _ index: Int,
        item: JSONValue,
        isComponent: Bool,
        defaults: AppleDefaults,
        variables: AppleVariables,
        spending effort: inout MatchingEffort
    ) throws(MatchingEffortError) {
        try effort.spend(Self.readingCost)
        switch item {
        case .object(let members) where isComponent:
            try effort.spend(members.count)
            self.init(index, component: item, defaults: defaults, variables: variables)
            try effort.spend(items.count)
        case .string(let text) where !isComponent:
            try effort.spend(text.utf8.count)
            self.init(index, legacyPath: text, defaults: defaults, variables: variables)
        default: return nil
        }
    }

    /// Returns whether a URL matches in all parts.
    ///
    /// A missing part counts as an empty text.
    ///
    /// - Throws: ``MatchingEffortError``.
    func matches(_ url: AppleURL, spending effort: inout MatchingEffort) throws(MatchingEffortError) -> Bool {
        let parts = percentEncoded ? url.written : url.decoded
        if let path, try !path.matches(parts.path, layout: layout, spending: &effort) { return false }
        if let query, try !layout.pattern(query, spending: &effort).matches(parts.query, spending: &effort) {
            return false
        }
        if let fragment, try !layout.pattern(fragment, spending: &effort).matches(parts.fragment, spending: &effort) {
            return false
        }
        for (name, text) in items {
            let pattern = try layout.pattern(text, spending: &effort)
            // Every occurrence must match. A missing name has an empty value.
            var isThere = false
            for (own, value) in parts.pairs {
                try effort.spend(Self.comparisonCost + (layout.caseSensitive ? 0 : own.utf8.count + name.utf8.count))
                guard isSame(own, name) else { continue }
                isThere = true
                guard try pattern.matches(value, spending: &effort) else { return false }
            }
            if !isThere, try !pattern.matches("", spending: &effort) { return false }
        }
        return true
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        layout.caseSensitive
            ? left.bytewise == right.bytewise
            : left.unicodeScalars.map(ApplePattern.folded).elementsEqual(right.unicodeScalars.map(ApplePattern.folded))
    }
}
