import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage
import HTTPTypes

extension Problem {
    /// Returns the problem for a request without credentials (RFC 6750 §3).
    static func authenticationRequired(_ detail: String) -> Problem {
        Problem(.authenticationRequired, detail: detail, headers: [.wwwAuthenticate: #"Bearer realm="waymark""#])
    }

    /// The problem for an anonymous caller that needs credentials.
    package static var credentialsNeeded: Problem {
        authenticationRequired(
            "Without credentials links are resolved as nobody, and that is all; send `Authorization: Bearer` with a token of "
                + "this service or of your user."
        )
    }

    /// The problem for a request through a proxy, on a server without credentials.
    package static var throughProxy: Problem {
        authenticationRequired(
            "This server has no credentials, so it answers this machine alone, and the request came through a proxy: make a "
                + "token with `waymark token create`, and send it as `Authorization: Bearer`."
        )
    }

    /// Returns the problem for invalid credentials.
    ///
    /// The reason is ASCII without quotes, and repeats nothing of them.
    static func invalidCredentials(_ reason: String) -> Problem {
        Problem(
            .authenticationRequired,
            detail: reason,
            headers: [.wwwAuthenticate: challenge("invalid_token", reason: reason)]
        )
    }

    /// Returns the problem for an authenticated caller without permission, with the least role that suffices.
    package static func insufficientScope(_ role: Role, reason: String) -> Problem {
        Problem(
            .insufficientScope,
            detail: reason,
            extensions: [.init("required", text: role.rawValue)],
            headers: [.wwwAuthenticate: challenge("insufficient_scope", reason: reason)]
        )
    }

    /// The problem for end users' tokens that cannot be verified now.
    ///
    /// It asks the client to retry.
    static var keysUnavailable: Problem {
        Problem(.overloaded, detail: EndUserTokenError.keysUnavailable.description, headers: [.retryAfter: "10"])
    }

    private static func challenge(_ error: String, reason: String) -> String {
        #"Bearer realm="waymark", error="\#(error)", error_description="\#(reason)""#
    }
}
