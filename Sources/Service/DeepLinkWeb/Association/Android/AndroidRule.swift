import DeepLinkCore
import DeepLinkFormats

/// One of the dynamic rules of an app, as one of the generations of Android reads it.
struct AndroidRule {
    /// The rule as written in the file.
    let source: JSONValue

    /// Whether the rule excludes matching URLs from the app.
    let isExcluded: Bool

    private let path: AndroidPattern?
    private let fragment: AndroidPattern?
    private let query: [AndroidPattern]

    /// Reads a rule, or returns `nil` if it is malformed.
    ///
    /// A malformed one invalidates all rules of its list.
    init?(_ source: JSONValue, generation: AndroidGeneration) {
        guard case .object(let members) = source else { return nil }
        self.source = source
        isExcluded =
            switch members["exclude"] {
            case .bool(let flag)?: flag
            // `optBoolean` reads these words too, in any case.
            case .string(let text)?: text.lowercased().bytewise == "true"
            default: false
            }
        func pattern(_ key: ByteText) -> AndroidPattern?? {
            guard let value = members[key] else { return .some(nil) }
            guard let text = Self.text(value), let pattern = AndroidPattern(text, generation: generation) else {
                return nil
            }
            return pattern
        }
        guard let path = pattern("/"), let fragment = pattern("#") else { return nil }
        self.path = path
        self.fragment = fragment
        guard case .object(let pairs)? = members["?"] else {
            query = []
            return
        }
        var query: [AndroidPattern] = []
        for (name, value) in pairs {
            guard let text = Self.text(value),
                let pattern = AndroidPattern(text, after: "\(name)=", generation: generation)
            else {
                return nil
            }
            query.append(pattern)
        }
        self.query = query
    }

    /// Returns the text of a value, or `nil` for the malformed value of another type.
    private static func text(_ value: JSONValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// Returns whether a URL matches all parts of the rule.
    ///
    /// A rule without parts matches nothing.
    ///
    /// - Throws: ``MatchingEffortError``.
    func matches(
        path: [UInt16],
        query pairs: [[UInt16]],
        fragment: [UInt16]?,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> Bool {
        guard self.path != nil || self.fragment != nil || !query.isEmpty else { return false }
        if let own = self.path, try !own.matches(path, spending: &effort) { return false }
        if let own = self.fragment {
            guard let fragment, try own.matches(fragment, spending: &effort) else { return false }
        }
        for pattern in query {
            var isThere = false
            for pair in pairs where !isThere { isThere = try pattern.matches(pair, spending: &effort) }
            guard isThere else { return false }
        }
        return true
    }
}
