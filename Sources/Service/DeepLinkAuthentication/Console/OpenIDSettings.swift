package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage

/// The settings of console logins: the provider, this service as its client, and the roles that claims give.
package struct OpenIDSettings: Sendable {
    /// The provider's issuer identifier, a URL.
    package let issuer: String

    /// The client id of this service at the provider.
    package let clientID: String

    /// The client secret of this service at the provider, or an empty text if it isn't set.
    package let clientSecret: String

    /// The timeout for each of the provider's responses.
    let timeout: Duration

    let source: ProviderSource
    private let claim: TokenClaim
    private let roles: [ByteText: Role]
    private let isEmail: Bool

    /// Creates settings after checking them.
    ///
    /// - Parameters:
    ///   - issuer: the provider's issuer identifier, below which its document is fetched.
    ///   - clientID: the client id of this service at the provider.
    ///   - clientSecret: the client secret of this service at the provider.
    ///   - roleClaim: the name of the claim with a person's roles, followed by a dot and the name of a member if the
    ///     claim is an object.
    ///   - roles: the role that each value of the claim gives. If empty, the values are names of roles.
    ///   - timeout: the timeout for each of the provider's responses.
    /// - Throws: ``TrustedURLError`` if the issuer isn't an https URL.
    package init(
        issuer: String,
        clientID: String,
        clientSecret: String,
        roleClaim: String,
        roles: [ByteText: Role] = [:],
        timeout: Duration = .seconds(5)
    ) throws(TrustedURLError) {
        source = try ProviderSource(issuer: issuer, timeout: timeout)
        self.timeout = timeout
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        claim = TokenClaim(name: roleClaim)
        isEmail = roleClaim.bytewise == "email"
        // If both counted, a person named like a role would have that role where the claim contains names of people.
        let names = Dictionary(uniqueKeysWithValues: ConsoleUser.possibleRoles.map { ($0.rawValue.bytewise, $0) })
        self.roles = roles.isEmpty ? names : roles
    }

    /// Returns the roles that a person's claims give.
    ///
    /// An e-mail address counts only if the provider has verified it. Otherwise a person could claim another's.
    func roles(_ claims: JSONObject) -> [Role] {
        guard !isEmail || claims["email_verified"] == .bool(true) || claims["email_verified"] == .string("true") else {
            return []
        }
        return claim.values(in: claims).compactMap { roles[$0.bytewise] }
    }
}
