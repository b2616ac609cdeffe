package import DeepLinkCore
import DeepLinkFormats

/// The levels in the tokens of end users: the level of every valid token, and the levels of a claim's values.
package struct EndUserLevels: Sendable {
    /// The level that every valid token gives; `nil` for none.
    package let minimum: LevelName?
    private let claim: String?

    /// The level that each value of the claim gives.
    package let byValue: [ByteText: LevelName]

    /// Creates the rules for levels in tokens.
    ///
    /// - Parameters:
    ///   - minimum: the level that every valid token gives; `nil` for none.
    ///   - claim: the name of the claim; after a dot the name of a member, if there is an object before it.
    ///   - levels: the level that each value of the claim gives; others give none.
    package init(
        minimum: LevelName? = nil,
        claim: String? = nil,
        levels: [ByteText: LevelName] = [:]
    ) {
        self.minimum = minimum
        self.claim = claim
        byValue = levels
    }

    /// The names of the levels that a token's claims give; the highest of them counts.
    func names(_ claims: JSONObject) -> [LevelName] {
        let least = [minimum].compactMap(\.self)
        guard let claim, let value = Self.value(claim[...], in: claims) else { return least }
        guard case .array(let values) = value else { return least + [name(scalar: value)].compactMap(\.self) }
        var names = least
        for name in values.lazy.compactMap({ self.name(scalar: $0) }) where !names.contains(name) { names.append(name) }
        return names
    }

    /// Returns the level of a value that isn't a list: a list in a list gives none, and neither does an object.
    private func name(scalar value: JSONValue) -> LevelName? {
        switch value {
        case .string(let text): byValue[text.bytewise]
        case .integer(let number): byValue[String(number).bytewise]
        case .bool(let truth): byValue[String(truth).bytewise]
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
