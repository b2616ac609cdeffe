import DeepLinkCore
import DeepLinkFormats

/// The defaults of components from three levels: built in, file and app.
///
/// Apple documents `caseSensitive` and `percentEncoded`, and describes defaults as a kind of component. Its systems
/// also read `/`, `?`, `#` and `exclude` from there (decision record 20).
struct AppleDefaults {
    private(set) var values: JSONObject = [:]

    /// The keys that a component, or defaults, may have.
    private static let keys: [ByteText] = ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded"]

    /// Returns the defaults overridden by a narrower level.
    ///
    /// A value of the wrong type counts as absent.
    func overridden(by value: JSONValue?) -> AppleDefaults {
        guard case .object(let object)? = value else { return self }
        var merged = self
        for key in Self.keys {
            if let value = object[key], Self.fits(value, key: key) { merged.values.set(value, for: key) }
        }
        return merged
    }

    private static func fits(_ value: JSONValue, key: ByteText) -> Bool {
        switch (key.string, value) {
        case ("/", .string), ("#", .string), ("?", .string), ("?", .object): true
        case ("exclude", .bool), ("caseSensitive", .bool), ("percentEncoded", .bool): true
        default: false
        }
    }

    /// Returns the Boolean of a key.
    func bool(_ key: ByteText, default fallback: Bool) -> Bool {
        if case .bool(let flag)? = values[key] { flag } else { fallback }
    }

    /// Returns the text of a key.
    func text(_ key: ByteText) -> String? {
        if case .string(let text)? = values[key] { text } else { nil }
    }
}
