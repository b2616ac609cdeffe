package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage

/// The claims of a token with a valid signature: its user and its lifetime.
struct EndUserClaims {
    /// The maximum difference between the clocks of issuer and service, in milliseconds.
    static let leeway: Int64 = 30_000

    /// The user named by `sub`, with the levels and grants that the claims give.
    let user: EndUser

    /// The time from which the token is refused: `exp` plus the leeway.
    let end: Timestamp

    /// Checks the claims (RFC 7519 §4.1) at a given time.
    ///
    /// Texts are compared as bytes.
    ///
    /// - Throws: ``EndUserTokenError``, for the first invalid claim.
    init(
        _ claims: JSONObject,
        issuers: [String],
        audiences: [String],
        levels: EndUserLevels = EndUserLevels(),
        grants: EndUserGrants = EndUserGrants(),
        at time: Timestamp
    ) throws(EndUserTokenError) {
        guard let value = claims["iss"], Self.isText(value, among: issuers) else { throw .issuer }
        switch claims["aud"] {
        case .array(let values)?:
            guard values.allSatisfy({ if case .string = $0 { true } else { false } }),
                values.contains(where: { Self.isText($0, among: audiences) })
            else { throw .audience }
        case let value?:
            guard Self.isText(value, among: audiences) else { throw .audience }
        case nil: throw .audience
        }
        guard let value = claims["exp"] else { throw .missingExpiry }
        end = Timestamp(millisecondsSinceEpoch: try Self.milliseconds(value) + Self.leeway)
        guard time < end else { throw .expired }
        if let value = claims["nbf"] {
            guard try Self.milliseconds(value) - Self.leeway <= time.millisecondsSinceEpoch else { throw .notYetValid }
        }
        guard case .string(let text)? = claims["sub"], let id = UserID(text) else { throw .subject }
        user = EndUser(id: id, levels: levels.names(claims), grants: grants.names(claims))
    }

    private static func isText(_ value: JSONValue, among texts: [String]) -> Bool {
        guard case .string(let text) = value else { return false }
        return texts.contains { $0.bytewise == text.bytewise }
    }

    /// Reads a NumericDate (RFC 7519 §2), with or without a fraction, in milliseconds.
    static func milliseconds(_ value: JSONValue) throws(EndUserTokenError) -> Int64 {
        let seconds: Double
        switch value {
        case .integer(let number): seconds = Double(number)
        case .number(let number): seconds = number
        default: throw .malformedTime
        }
        // Far beyond any date, and far from overflow.
        let bound = 1e15
        return Int64((min(max(seconds, -bound), bound) * 1000).rounded(.down))
    }
}

/// An end user, authenticated by a valid token.
package struct EndUser: Sendable, Equatable {
    /// The user named by `sub`.
    package let id: UserID

    /// The names of the levels that the token gives, independent of the stored level.
    package let levels: [LevelName]

    /// The names of the grants that the token gives, in addition to the stored grants.
    package let grants: [GrantName]

    /// Creates the user of a verified token.
    package init(id: UserID, levels: [LevelName] = [], grants: [GrantName] = []) {
        self.id = id
        self.levels = levels
        self.grants = grants
    }

    /// Returns the highest level and the grants of the token in a catalog.
    ///
    /// Names that the catalog lacks are ignored.
    package func permissions(in catalog: RouteCatalog) -> Permissions {
        Permissions(
            level: level(in: catalog.levels),
            grants: grants.isEmpty ? [] : catalog.grants.set(grants)
        )
    }

    /// Returns the highest level of the token in a ladder, or the lowest level if the ladder has none of them.
    package func level(in ladder: LevelLadder) -> AuthorizationLevel {
        var highest = AuthorizationLevel.lowest
        for name in levels { highest = max(highest, ladder.level(stored: name) ?? .lowest) }
        return highest
    }
}
