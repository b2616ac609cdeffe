import DeepLinkAuthentication
import HTTPTypes

/// A cookie of the console, which no script reads, and no other host or page sends (RFC 6265bis §4.1.3).
///
/// Without TLS, on this machine alone, browsers keep no cookie with the prefix: there the name has none.
struct ConsoleCookie {
    /// The pages whose requests have the cookie.
    enum SameSite: String {
        /// Those of the host itself.
        case strict = "Strict"

        /// Any page that leads the browser there.
        case lax = "Lax"
    }

    /// The name.
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

    /// The cookie of a login, by the name of its attempt; the provider's page leads back to it.
    ///
    /// With an empty name, its own is the beginning of all others.
    static func login(_ name: String, isSecure: Bool) -> ConsoleCookie {
        ConsoleCookie("waymark-login-\(name)", isSecure: isSecure, sameSite: .lax)
    }

    /// Returns the field that sets the cookie for some seconds.
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
