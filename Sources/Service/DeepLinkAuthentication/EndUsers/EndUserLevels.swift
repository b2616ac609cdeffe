package import DeepLinkCore
import DeepLinkFormats

/// The levels in the tokens of end users: the level of every valid token, and the levels of a claim's values.
package struct EndUserLevels: Sendable {
    /// The level that every valid token gives; `nil` for none.
    package let minimum: LevelName?
    private let claim: TokenClaim?

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
        self.claim = claim.map(TokenClaim.init)
        byValue = levels
    }

    /// The names of the levels that a token's claims give; the highest of them counts.
    func names(_ claims: JSONObject) -> [LevelName] {
        var names = [minimum].compactMap(\.self)
        for value in claim?.values(in: claims) ?? [] {
            if let name = byValue[value.bytewise], !names.contains(name) { names.append(name) }
        }
        return names
    }
}
