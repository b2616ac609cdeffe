import DeepLinkCore
import DeepLinkFormats

/// A claim of end users' tokens whose values say what a user has.
struct TokenClaim {
    /// The name; after a dot that of a member, if there is an object before it.
    let name: String

    /// Returns the values of the claim as texts: one, or those of a list.
    ///
    /// A list in a list has none, and neither has an object.
    func values(in claims: JSONObject) -> [String] {
        guard let value = Self.value(name[...], in: claims) else { return [] }
        guard case .array(let values) = value else { return [Self.text(value)].compactMap(\.self) }
        return values.compactMap(Self.text)
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let truth): String(truth)
        case .null, .number, .object, .array: nil
        }
    }

    /// Finds the value of a name, which may have dots of its own, as those do that are URLs (RFC 7519 §4.2).
    private static func value(_ name: Substring, in object: JSONObject) -> JSONValue? {
        if let value = object[String(name).bytewise] { return value }
        let dots = name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: ".") }
        for dot in dots {
            guard case .object(let inner)? = object[String(name[..<dot]).bytewise] else { continue }
            if let value = value(name[name.utf8.index(after: dot)...], in: inner) { return value }
        }
        return nil
    }
}
