package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage

/// The settings of logins: the provider, this service as its client, and the roles that its claims give.
package struct OpenIDSettings: Sendable {
    /// The provider's identifier, a URL.
    package let issuer: String

    /// The identifier of this service at the provider.
    package let clientID: String

    /// The secret of this service at the provider; empty if it isn't set.
    package let clientSecret: String

    /// The most time for each of the provider's answers.
    let timeout: Duration

    let source: ProviderSource
    private let claim: TokenClaim
    private let roles: [ByteText: Role]
    private let isEmail: Bool

    /// Checks and creates settings.
    ///
    /// - Parameters:
    ///   - issuer: the provider's identifier, below which its document is fetched.
    ///   - clientID: the identifier of this service at the provider.
    ///   - clientSecret: the secret of this service at the provider.
    ///   - roleClaim: the name of the claim that says a person's roles; after a dot the name of a member, if there is an
    ///     object before it.
    ///   - roles: the role that each value of the claim gives; without any, a value is the name of a role itself.
    ///   - timeout: the most time for each of the provider's answers.
    /// - Throws: ``KeySetURLError`` if the issuer isn't an https URL.
    package init(
        issuer: String,
        clientID: String,
        clientSecret: String,
        roleClaim: String,
        roles: [ByteText: Role] = [:],
        timeout: Duration = .seconds(5)
    ) throws(KeySetURLError) {
        source = try ProviderSource(issuer: issuer, timeout: timeout)
        self.timeout = timeout
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        claim = TokenClaim(name: roleClaim)
        isEmail = roleClaim.bytewise == "email"
        // Were both to count, a person with the name of a role, where the claim names people, would have that role.
        let names = Dictionary(uniqueKeysWithValues: Person.possibleRoles.map { ($0.rawValue.bytewise, $0) })
        self.roles = roles.isEmpty ? names : roles
    }

    /// Returns the roles that the claims of a person give.
    ///
    /// An e-mail address counts only if the provider has verified it: else a person could claim another's.
    func roles(_ claims: JSONObject) -> [Role] {
        guard !isEmail || claims["email_verified"] == .bool(true) || claims["email_verified"] == .string("true") else {
            return []
        }
        return claim.values(in: claims).compactMap { roles[$0.bytewise] }
    }
}
