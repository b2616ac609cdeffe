/// The reason why a person is not logged in to the console.
package enum LoginError: Error {
    /// The person gave up at the provider, or the provider denied them.
    case denied

    /// The answer belongs to no login that this browser has begun in the last 10 minutes and has not ended.
    case unknownAttempt

    /// The provider does not answer, or answers with something else; the text is a sentence for operators.
    case provider(String)

    /// The provider does not accept the client's id or secret.
    case client

    /// The ID token is refused.
    case token(IDTokenError)

    /// The person has none of the roles; the name is the person's.
    case noRole(String)

    /// Too many logins are being verified.
    case busy

    /// The word for the reason in the address of the console's page.
    package var word: String {
        switch self {
        case .denied: "denied"
        case .unknownAttempt: "expired"
        case .provider: "provider"
        case .client: "client"
        case .token: "token"
        case .noRole: "role"
        case .busy: "busy"
        }
    }
}

extension LoginError: CustomStringConvertible {
    /// The description of the error, for operators.
    package var description: String {
        switch self {
        case .denied: "The person gave up at the identity provider, or was denied there."
        case .unknownAttempt:
            "The answer belongs to no login of this browser, or comes after 10 minutes, or a second time."
        case .provider(let reason): reason
        case .client: "The identity provider does not accept console.oidc.clientID with console.oidc.clientSecret."
        case .token(let error): "The ID token is refused: \(error)"
        case .noRole(let name):
            "\(name) has no role: neither a role of this service nor a value of console.oidc.roles is in the claim that "
                + "console.oidc.roleClaim names."
        case .busy: "Too many logins are being verified."
        }
    }
}
