/// The reason why a console login fails.
package enum LoginError: Error {
    /// The person cancelled at the provider, or the provider denied access.
    case denied

    /// The response matches no login that this browser began in the last 10 minutes and has not finished.
    case unknownAttempt

    /// The provider does not respond, or its response is invalid. The text is a sentence for operators.
    case provider(String)

    /// The provider rejects the client's id or secret.
    case client

    /// The ID token is refused.
    case token(IDTokenError)

    /// The person has none of the roles. The text is the person's name.
    case noRole(String)

    /// Too many logins are being verified.
    case busy

    /// The code of the error in the address of the console's page.
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
