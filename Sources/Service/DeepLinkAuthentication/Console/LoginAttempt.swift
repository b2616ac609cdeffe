import Crypto
import DeepLinkCore
import DeepLinkFormats

/// A login that has begun in a browser: the secrets that bind the provider's response to it.
///
/// Only the browser stores it, sealed, in a separate cookie, so that logins in two tabs are two attempts.
package struct LoginAttempt: Sendable {
    /// The maximum duration of a login, in seconds.
    package static let lifetime = 600

    /// The number of characters of `state` that name the cookie.
    private static let nameCount = 8

    /// The value that the provider sends back (RFC 6749 §10.12).
    package let state: String

    /// The value that the ID token must have (OpenID Connect Core §15.5.2).
    let nonce: String

    /// The PKCE code verifier, of 43 characters or more (RFC 7636 §4.1).
    ///
    /// The provider gets its digest first.
    let verifier: String

    /// The origin of the console, to which the person returns.
    package let origin: String

    /// The time from which the provider's response is too late.
    let end: Timestamp

    /// Begins a login on a page, with random secrets from the system's source of randomness.
    init(from origin: String, at time: Timestamp) {
        state = RandomText.secret()
        nonce = RandomText.secret()
        verifier = RandomText.secret()
        self.origin = origin
        end = time.adding(seconds: Self.lifetime)
    }

    /// Reads the content of a sealed attempt, or returns `nil` if another version of this service wrote it.
    init?(_ content: [UInt8]) {
        guard case .object(let members)? = try? JSONParser.parse(content),
            case .string(let state)? = members["state"], case .string(let nonce)? = members["nonce"],
            case .string(let verifier)? = members["verifier"], case .string(let origin)? = members["origin"],
            case .integer(let end)? = members["end"]
        else { return nil }
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.origin = origin
        self.end = Timestamp(millisecondsSinceEpoch: end)
    }

    /// The content to seal.
    var content: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.members([("state", state), ("nonce", nonce), ("verifier", verifier), ("origin", origin)])
            writer.member("end", Int(end.millisecondsSinceEpoch))
        }
        return writer.bytes
    }

    /// The PKCE code challenge: the digest of the verifier, by the method `S256` (RFC 7636 §4.2).
    var challenge: String { Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) }

    /// Returns the part of a `state` that names the cookie of its attempt, or `nil` if the text is not a `state`.
    package static func name(of state: String) -> String? {
        let bytes = state.utf8
        guard bytes.count == RandomText.secretCount, bytes.allSatisfy(RandomText.base62.contains) else { return nil }
        return String(Substring(bytes.prefix(nameCount)))
    }
}

/// The response of a provider to a login, brought by the browser's redirect (RFC 6749 §4.1.2).
package struct LoginResponse: Sendable {
    private static let maximumByteCount = 4096

    private let codeText: String?
    private let error: String?
    private let issuer: String?

    /// Creates a response from the query parameters, each `nil` if absent.
    package init(code: String?, error: String?, issuer: String?) {
        codeText = code
        self.error = error
        self.issuer = issuer
    }

    /// Returns whether the response names the expected issuer.
    ///
    /// It may omit the issuer if the provider never names it (RFC 9207 §2.4).
    func isOf(issuer expected: String, isNamed: Bool) -> Bool {
        issuer.map { $0.bytewise == expected.bytewise } ?? !isNamed
    }

    /// Returns the authorization code.
    ///
    /// - Throws: ``LoginError/denied``, or ``LoginError/provider(_:)`` for any other error and for a response without a
    ///   code.
    func code() throws(LoginError) -> String {
        switch error?.bytewise {
        case nil: break
        case "access_denied": throw .denied
        default: throw .provider("The identity provider answers a login with an error; its own log says which.")
        }
        guard let codeText, (1...Self.maximumByteCount).contains(codeText.utf8.count) else {
            throw .provider("The identity provider answers a login without a code.")
        }
        return codeText
    }
}
