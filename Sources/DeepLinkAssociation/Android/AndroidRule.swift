import DeepLinkCore
import DeepLinkFormats

/// One of the dynamic rules of an app, as one of the generations of Android reads it.
struct AndroidRule {
    /// The rule as the file has it.
    let source: JSONValue

    /// Whether a URL that matches is kept from the app.
    let isExcluded: Bool

    private let path: AndroidPattern?
    private let fragment: AndroidPattern?
    private let query: [AndroidPattern]

    /// Reads a rule; `nil` where it is malformed, which makes all rules of its list void.
    init?(_ source: JSONValue, _ generation: AndroidGeneration) {
        guard case .object(let members) = source else { return nil }
        self.source = source
        isExcluded =
            switch members["exclude"] {
            case .bool(let flag)?: flag
            // `optBoolean` reads these words too, whatever their case.
            case .string(let text)?: text.lowercased().bytewise == "true"
            default: false
            }
        func pattern(_ key: ByteText) -> AndroidPattern?? {
            guard let value = members[key] else { return .some(nil) }
            guard let text = Self.text(value), let pattern = AndroidPattern(text, generation) else { return nil }
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
            guard let text = Self.text(value), let pattern = AndroidPattern(text, after: "\(name)=", generation) else {
                return nil
            }
            query.append(pattern)
        }
        self.query = query
    }

    /// The text of a value; `nil` where it is none, which is malformed.
    private static func text(_ value: JSONValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// Returns whether a URL fits all parts of the rule; one without parts fits none.
    func matches(path: String, query pairs: [String], fragment text: String?) -> Bool {
        guard self.path != nil || fragment != nil || !query.isEmpty else { return false }
        if let own = self.path, !own.matches(path) { return false }
        if let own = fragment, text.map(own.matches) != true { return false }
        return query.allSatisfy { pattern in pairs.contains(where: pattern.matches) }
    }
}
