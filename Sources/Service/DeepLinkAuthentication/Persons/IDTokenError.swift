/// The reason why an ID token is refused (OpenID Connect Core §3.1.3.7).
package enum IDTokenError: Error, Equatable, CustomStringConvertible {
    /// The token is refused as any token of its issuer would be: by its form, signature, `iss`, `aud`, `exp` or `sub`.
    case token(EndUserTokenError)

    /// `azp` is another client, or absent beside several audiences.
    case authorizedParty

    /// `iat` is absent, or no number.
    case missingIssueTime

    /// `iat` is in the future, by so many seconds: the clocks differ.
    case issuedInFuture(seconds: Int)

    /// `iat` is longer ago than a login may take.
    case issuedTooLongAgo

    /// `nonce` is not that of the login.
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
