import DeepLinkCore
import DeepLinkFormats
import NIOSSL
import Synchronization

/// The discovery document of a provider (OpenID Connect Discovery §3), as far as logins need it.
struct ProviderDocument: Sendable {
    /// The authorization endpoint, on which persons log in.
    let authorization: TrustedURL

    /// The token endpoint, for the exchange of codes for tokens.
    let token: TrustedURL

    /// The URL of the keys that verify tokens.
    let keys: TrustedURL

    /// The page on which persons log out, or `nil` if the provider has none (OpenID Connect RP-Initiated Logout §2.1).
    let logout: TrustedURL?

    /// Whether the client secret is sent in the form, because the provider does not accept HTTP Basic (RFC 6749
    /// §2.3.1).
    let takesSecretInForm: Bool

    /// Whether every authorization response names the issuer (RFC 9207 §3).
    let namesIssuerInAnswers: Bool

    /// Reads the document of an issuer.
    ///
    /// - Throws: ``KeySetError/invalid(_:)`` if it belongs to another issuer, lacks an endpoint, or has one that is not
    ///   https. An http endpoint is allowed only for an http issuer.
    init(_ document: [UInt8], issuer: String) throws(KeySetError) {
        guard case .object(let members)? = try? JSONParser.parse(document) else {
            throw .invalid(["The document of the identity provider is not a JSON object."])
        }
        guard case .string(let name)? = members["issuer"], name.bytewise == issuer.bytewise else {
            throw .invalid([
                "The document of the identity provider is of another `issuer` than console.oidc.issuer, which must be the "
                    + "same to the last character."
            ])
        }
        let isSecure = (try? TrustedURL(issuer))?.isSecure ?? true
        func url(_ name: ByteText) throws(KeySetError) -> TrustedURL {
            try Self.url(name, in: members, isSecure: isSecure)
        }
        authorization = try url("authorization_endpoint")
        token = try url("token_endpoint")
        keys = try url("jwks_uri")
        logout = members["end_session_endpoint"] == nil ? nil : try url("end_session_endpoint")
        namesIssuerInAnswers = members["authorization_response_iss_parameter_supported"] == .bool(true)
        // The default is `client_secret_basic`.
        guard case .array(let methods)? = members["token_endpoint_auth_methods_supported"] else {
            takesSecretInForm = false
            return
        }
        takesSecretInForm =
            !methods.contains(.string("client_secret_basic")) && methods.contains(.string("client_secret_post"))
    }

    private static func url(_ name: ByteText, in members: JSONObject, isSecure: Bool) throws(KeySetError) -> TrustedURL
    {
        guard case .string(let text)? = members[name] else {
            throw .invalid(["The document of the identity provider has no `\(name.string)`."])
        }
        do throws(TrustedURLError) {
            let url = try TrustedURL(text)
            guard url.isSecure || !isSecure else { throw .insecure }
            return url
        } catch {
            throw .invalid(["The `\(name.string)` of the identity provider is not usable: \(error)."])
        }
    }
}

extension TrustedURL {
    /// Returns the URL with pairs appended to its query (RFC 6749 §3.1).
    func adding(_ pairs: [(name: String, value: String)]) -> String {
        text + (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + FormEncoding.encode(pairs)
    }
}

/// The source of an identity provider's keys, at the URL in its document.
///
/// The document is read again with the keys.
final class ProviderSource: KeySetSource {
    /// The part of the document's URL after the issuer (OpenID Connect Discovery §4).
    private static let path = "/.well-known/openid-configuration"

    private let issuer: String
    private let url: TrustedURL
    private let timeout: Duration
    private let trustRoots: NIOSSLTrustRoots
    private let known = Mutex<ProviderDocument?>(nil)

    /// Creates the source for an issuer.
    ///
    /// - Throws: ``TrustedURLError`` if the issuer isn't an https URL without a query.
    init(
        issuer: String,
        timeout: Duration = .seconds(5),
        trustRoots: NIOSSLTrustRoots = .default
    ) throws(TrustedURLError) {
        guard !issuer.utf8.contains(UInt8(ascii: "?")) else { throw .surplus }
        let isSlashed = issuer.utf8.last == UInt8(ascii: "/")
        url = try TrustedURL(String(Substring(isSlashed ? issuer.utf8.dropLast() : issuer.utf8[...])) + Self.path)
        self.issuer = issuer
        self.timeout = timeout
        self.trustRoots = trustRoots
    }

    var name: String { url.name }

    var origin: KeySet.Origin { .url }

    /// The document that was read last, or `nil` if none was.
    var document: ProviderDocument? { known.withLock(\.self) }

    func document() async throws(KeySetError) -> [UInt8] {
        let document = try ProviderDocument(try await fetched(url), issuer: issuer)
        known.withLock { $0 = document }
        return try await fetched(document.keys)
    }

    private func fetched(_ url: TrustedURL) async throws(KeySetError) -> [UInt8] {
        try await KeySetDownload(url: url, timeout: timeout, trustRoots: trustRoots).document()
    }
}
