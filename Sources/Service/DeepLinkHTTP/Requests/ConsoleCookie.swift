import DeepLinkAuthentication
import HTTPTypes

/// A cookie of the console that no script can read, and that no other host or page can send (RFC 6265bis §4.1.3).
///
/// Without TLS, on this machine alone, browsers reject cookies with the prefix, so the name has none.
struct ConsoleCookie {
    /// The pages that send the cookie with their requests.
    enum SameSite: String {
        /// Only pages of the host itself.
        case strict = "Strict"

        /// Any page from which the browser navigates to the host.
        case lax = "Lax"
    }

    /// The name, including the prefix with TLS.
    let name: String

    private let isSecure: Bool
    private let sameSite: SameSite

    private init(_ name: String, isSecure: Bool, sameSite: SameSite) {
        self.name = (isSecure ? "__Host-" : "") + name
        self.isSecure = isSecure
        self.sameSite = sameSite
    }

    /// The cookie of a session.
    static func session(isSecure: Bool) -> ConsoleCookie {
        ConsoleCookie("waymark-session", isSecure: isSecure, sameSite: .strict)
    }

    /// The cookie of a login, by the name of its attempt.
    ///
    /// It is sent when the provider's page redirects back.
    ///
    /// With an empty name, its name is the prefix of all others.
    static func login(_ name: String, isSecure: Bool) -> ConsoleCookie {
        ConsoleCookie("waymark-login-\(name)", isSecure: isSecure, sameSite: .lax)
    }

    /// Returns the field that sets the cookie for a number of seconds.
    func field(_ value: String, seconds: Int) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=\(sameSite.rawValue)"
                + (isSecure ? "; Secure" : "")
        )
    }

    /// The field that removes the cookie.
    var removal: HTTPField { field("", seconds: 0) }
}
