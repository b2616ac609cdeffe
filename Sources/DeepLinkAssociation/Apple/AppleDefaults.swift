import DeepLinkCore
import DeepLinkFormats

/// What holds for a component unless it says otherwise, from three levels: built in, of the file, of an app.
///
/// Apple documents `caseSensitive` and `percentEncoded`, and calls defaults a kind of component; its systems take `/`, `?`,
/// `#` and `exclude` from there too (decision record 20).
struct AppleDefaults {
    private(set) var values: JSONObject = [:]

    /// The keys that a component, or defaults, may have.
    private static let keys: [ByteText] = ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded"]

    /// Returns the same defaults, with those of a narrower level in front; what has the wrong type is not there.
    func overridden(by value: JSONValue?) -> AppleDefaults {
        guard case .object(let object)? = value else { return self }
        var merged = self
        for key in Self.keys {
            if let value = object[key], Self.fits(value, key) { merged.values.set(value, for: key) }
        }
        return merged
    }

    private static func fits(_ value: JSONValue, _ key: ByteText) -> Bool {
        switch (key.string, value) {
        case ("/", .string), ("#", .string), ("?", .string), ("?", .object): true
        case ("exclude", .bool), ("caseSensitive", .bool), ("percentEncoded", .bool): true
        default: false
        }
    }

    /// The truth value of a key.
    func bool(_ key: ByteText, default fallback: Bool) -> Bool {
        if case .bool(let flag)? = values[key] { flag } else { fallback }
    }

    /// The text of a key.
    func text(_ key: ByteText) -> String? {
        if case .string(let text)? = values[key] { text } else { nil }
    }
}
