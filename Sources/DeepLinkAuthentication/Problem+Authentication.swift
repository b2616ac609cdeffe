package import DeepLinkCore
package import DeepLinkFormats
import HTTPTypes

extension Problem {
    /// Asks for credentials where there are none (RFC 6750 §3).
    static func authenticationRequired(_ detail: String) -> Problem {
        Problem(.authenticationRequired, detail, headers: [.wwwAuthenticate: #"Bearer realm="waymark""#])
    }

    /// Refuses credentials that are not valid; the reason is ASCII without quotes, and repeats nothing of them.
    static func invalidCredentials(_ reason: String) -> Problem {
        Problem(.authenticationRequired, reason, headers: [.wwwAuthenticate: challenge("invalid_token", reason)])
    }

    /// Refuses a caller who is known and may not do this, naming the least role that may.
    package static func insufficientScope(_ role: Role, _ reason: String) -> Problem {
        Problem(
            .insufficientScope,
            reason,
            [.init("required", role.rawValue)],
            headers: [.wwwAuthenticate: challenge("insufficient_scope", reason)]
        )
    }

    /// Asks end users to come back, because nothing can be said of their credentials now.
    static var keysUnavailable: Problem {
        Problem(.overloaded, EndUserTokenError.keysUnavailable.description, headers: [.retryAfter: "10"])
    }

    private static func challenge(_ error: String, _ reason: String) -> String {
        #"Bearer realm="waymark", error="\#(error)", error_description="\#(reason)""#
    }
}
