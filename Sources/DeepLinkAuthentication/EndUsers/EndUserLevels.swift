package import DeepLinkCore
import DeepLinkFormats

/// The levels in the tokens of end users: the level of every valid token, and the levels of a claim's values.
package struct EndUserLevels: Sendable {
    private let minimum: AuthorizationLevel
    private let claim: String?
    private let levels: [ByteText: AuthorizationLevel]

    /// Creates the rules for levels in tokens.
    ///
    /// - Parameters:
    ///   - minimum: the level that every valid token gives.
    ///   - claim: the name of the claim; after a dot the name of a member, if there is an object before it.
    ///   - levels: the level that each value of the claim gives; others give none.
    package init(
        minimum: AuthorizationLevel = .none,
        claim: String? = nil,
        levels: [ByteText: AuthorizationLevel] = [:]
    ) {
        self.minimum = minimum
        self.claim = claim
        self.levels = levels
    }

    /// The level that a token's claims give: the highest of all that do.
    func level(_ claims: JSONObject) -> AuthorizationLevel {
        guard let claim, let value = Self.value(claim[...], in: claims) else { return minimum }
        return max(minimum, level(value))
    }

    private func level(_ value: JSONValue) -> AuthorizationLevel {
        guard case .array(let values) = value else { return level(scalar: value) }
        return values.lazy.map(level(scalar:)).max() ?? .none
    }

    /// Returns the level of a value that isn't a list: a list in a list gives none, and neither does an object.
    private func level(scalar value: JSONValue) -> AuthorizationLevel {
        switch value {
        case .string(let text): levels[text.bytewise] ?? .none
        case .integer(let number): levels[String(number).bytewise] ?? .none
        case .bool(let truth): levels[String(truth).bytewise] ?? .none
        case .null, .number, .object, .array: .none
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
