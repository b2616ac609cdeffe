import DeepLinkCore
import DeepLinkFormats

/// The verifier of ID tokens from one provider for one client, each for one login (OpenID Connect Core §3.1.3.7).
///
/// Tokens must be signed with a public key that the provider publishes. Neither `none` nor a shared secret is accepted
/// (RFC 9700 §2.1).
struct IDTokenVerifier: Sendable {
    /// The maximum length of an ID token, in bytes.
    ///
    /// Some tokens list hundreds of groups.
    private static let maximumByteCount = 32 * 1024

    /// The required `iss`.
    let issuer: String

    /// The required `aud`.
    let clientID: String

    /// The check of signatures with the provider's keys.
    let signatures: TokenSignatureCheck

    /// Verifies a token at a given time.
    ///
    /// - Parameters:
    ///   - text: the token.
    ///   - nonce: the `nonce` of the login.
    ///   - time: the current time.
    /// - Returns: the claims of the token.
    /// - Throws: ``IDTokenError``, for the first rule that the token breaks.
    func claims(of text: String, nonce: String, at time: Timestamp) async throws(IDTokenError) -> JSONObject {
        let token: EndUserToken
        do throws(EndUserTokenError) {
            token = try EndUserToken(text, maximumByteCount: Self.maximumByteCount)
            try await signatures.verify(token)
            _ = try EndUserClaims(token.claims, issuers: [issuer], audiences: [clientID], at: time)
        } catch {
            throw .token(error)
        }
        let claims = token.claims
        try checkAuthorizedParty(of: claims)
        try Self.checkIssueTime(of: claims, at: time)
        guard case .string(let value)? = claims["nonce"], value.bytewise == nonce.bytewise else { throw .nonce }
        return claims
    }

    private func checkAuthorizedParty(of claims: JSONObject) throws(IDTokenError) {
        switch claims["azp"] {
        case .string(let party)?: guard party.bytewise == clientID.bytewise else { throw .authorizedParty }
        case nil:
            if case .array(let audiences)? = claims["aud"], audiences.count > 1 { throw .authorizedParty }
        default: throw .authorizedParty
        }
    }

    private static func checkIssueTime(of claims: JSONObject, at time: Timestamp) throws(IDTokenError) {
        guard let value = claims["iat"], let issued = try? EndUserClaims.milliseconds(value) else {
            throw .missingIssueTime
        }
        let age = time.millisecondsSinceEpoch - issued
        guard age >= -EndUserClaims.leeway else { throw .issuedInFuture(seconds: Int(-age / 1000)) }
        guard age <= Int64(LoginAttempt.lifetime) * 1000 + EndUserClaims.leeway else { throw .issuedTooLongAgo }
    }
}

/// The reason why an ID token is refused (OpenID Connect Core §3.1.3.7).
package enum IDTokenError: Error, Equatable, CustomStringConvertible {
    /// The token fails a check that applies to any token: its form, signature, `iss`, `aud`, `exp` or `sub`.
    case token(EndUserTokenError)

    /// `azp` is another client, or absent although there are several audiences.
    case authorizedParty

    /// `iat` is absent, or not a number.
    case missingIssueTime

    /// `iat` is in the future by that many seconds: the clocks differ.
    case issuedInFuture(seconds: Int)

    /// `iat` is older than the lifetime of a login.
    case issuedTooLongAgo

    /// `nonce` differs from the login's `nonce`.
    case nonce

    /// The description of the error.
    package var description: String {
        switch self {
        case .token(let error): error.description
        case .authorizedParty: "It was issued to another client: azp does not name this one."
        case .missingIssueTime: "It has no iat, which is a number of seconds."
        case .issuedInFuture(let seconds):
            "Its iat is \(seconds) seconds in the future; set the clocks of this machine and the provider."
        case .issuedTooLongAgo:
            "Its iat is longer ago than a login may take; set the clocks of this machine and the provider."
        case .nonce: "Its nonce is not that of this login."
        }
    }
}
