package import DeepLinkCore
import DeepLinkFormats

/// The grants in the tokens of end users: the names in a claim, or the grants of its words.
package struct EndUserGrants: Sendable {
    private let claim: TokenClaim?

    /// The grant that each word of the claim gives; `nil` if the claim has the names of grants.
    package let byWord: [ByteText: GrantName]?

    /// Creates the rules for grants in tokens.
    ///
    /// - Parameters:
    ///   - claim: the name of the claim; after a dot the name of a member, if there is an object before it. `nil` for
    ///     tokens without grants.
    ///   - byWord: the grant that each word of the claim gives, while others give none; `nil` if the claim has names.
    package init(claim: String? = nil, byWord: [ByteText: GrantName]? = nil) {
        self.claim = claim.map(TokenClaim.init)
        self.byWord = byWord
    }

    /// Returns the names of the grants that a token's claims give.
    func names(_ claims: JSONObject) -> [GrantName] {
        guard let claim else { return [] }
        var names: [GrantName] = []
        for value in claim.values(in: claims) {
            let name = byWord.map { $0[value.bytewise] } ?? GrantName(value)
            if let name, !names.contains(name) { names.append(name) }
        }
        return names
    }
}
