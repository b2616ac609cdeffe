import DeepLinkCore
import DeepLinkFormats

/// One component of an app, or one of its legacy paths: what it matches, and what follows.
struct AppleRule {
    /// The place in the list of components or paths.
    let index: Int

    /// The component as the file has it.
    let source: JSONValue

    /// Whether a URL that matches is kept from the app.
    let isExcluded: Bool

    private let caseSensitive: Bool
    private let percentEncoded: Bool
    private let path: ApplePathPattern?
    private let query: ApplePattern?
    private let items: [(name: String, pattern: ApplePattern)]
    private let fragment: ApplePattern?

    /// Reads a component, with its defaults.
    init(_ index: Int, _ source: JSONValue, _ defaults: AppleDefaults, _ variables: AppleVariables) {
        self.index = index
        self.source = source
        let values = defaults.overridden(by: source)
        isExcluded = values.bool("exclude", default: false)
        let caseSensitive = values.bool("caseSensitive", default: true)
        self.caseSensitive = caseSensitive
        percentEncoded = values.bool("percentEncoded", default: true)
        func pattern(_ text: String) -> ApplePattern {
            ApplePattern(text, variables: variables, caseSensitive: caseSensitive)
        }
        path = values.text("/").map { ApplePathPattern($0, variables: variables, caseSensitive: caseSensitive) }
        fragment = values.text("#").map(pattern)
        query = values.text("?").map(pattern)
        guard case .object(let object)? = values.values["?"] else {
            items = []
            return
        }
        let texts = object.compactMap { name, value -> (String, String)? in
            if case .string(let text) = value { (name.string, text) } else { nil }
        }
        // One value that is no text, and the whole dictionary counts for nothing.
        items = texts.count == object.count ? texts.map { ($0, pattern($1)) } : []
    }

    /// Reads a legacy path, which begins with `NOT ` where it keeps URLs from the app.
    init(_ index: Int, legacyPath text: String, _ defaults: AppleDefaults, _ variables: AppleVariables) {
        self.index = index
        source = .string(text)
        caseSensitive = defaults.bool("caseSensitive", default: true)
        percentEncoded = defaults.bool("percentEncoded", default: true)
        isExcluded = text.utf8.starts(with: "NOT ".utf8)
        let pattern = isExcluded ? String(Substring(text.utf8.dropFirst(4).drop { $0 == UInt8(ascii: " ") })) : text
        path = ApplePathPattern(pattern, variables: variables, caseSensitive: caseSensitive)
        query = nil
        items = []
        fragment = nil
    }

    /// Returns whether a URL matches in all its parts; a part that it lacks is an empty text.
    func matches(_ url: PlatformURL, _ effort: inout MatchingEffort) throws(MatchingEffortError) -> Bool {
        func read(_ text: String) -> String { percentEncoded ? text : PlatformURL.decode(text) }
        if let path, try !path.matches(read(url.path.isEmpty ? "/" : url.path), &effort) { return false }
        if let query, try !query.matches(read(url.query ?? ""), &effort) { return false }
        if let fragment, try !fragment.matches(read(url.fragment ?? ""), &effort) { return false }
        guard !items.isEmpty else { return true }
        let pairs = (url.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
            .map { pair in
                let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                return (read(String(Substring(sides[0]))), sides.count > 1 ? read(String(Substring(sides[1]))) : "")
            }
        for (name, pattern) in items {
            // Every occurrence must match; a name that is not there has an empty value.
            var isThere = false
            for (own, value) in pairs where isSame(own, name) {
                isThere = true
                guard try pattern.matches(value, &effort) else { return false }
            }
            if !isThere, try !pattern.matches("", &effort) { return false }
        }
        return true
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        caseSensitive
            ? left.bytewise == right.bytewise
            : left.unicodeScalars.map(ApplePattern.folded).elementsEqual(right.unicodeScalars.map(ApplePattern.folded))
    }
}
