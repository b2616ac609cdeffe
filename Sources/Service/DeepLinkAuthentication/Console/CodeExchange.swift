import DeepLinkCore
import DeepLinkFormats
import Foundation
import NIOSSL

/// The exchange of an authorization code for an ID token, at the provider's token endpoint (RFC 6749 §4.1.3, RFC 7636
/// §4.5).
struct CodeExchange: Sendable {
    private static let maximumByteCount = 256 * 1024

    let provider: ProviderDocument

    let clientID: String
    let clientSecret: String

    /// The time limit of the exchange.
    let limit: TimeLimit

    /// The trusted certificate authorities.
    var trustRoots = NIOSSLTrustRoots.default

    /// Returns the ID token for an authorization code.
    ///
    /// - Parameters:
    ///   - code: the authorization code.
    ///   - verifier: the PKCE code verifier of the login. The provider has its digest.
    ///   - address: the redirect URI that the code was sent to.
    /// - Returns: the token.
    /// - Throws: ``LoginError/client``, or ``LoginError/provider(_:)``.
    func idToken(for code: String, verifier: String, sentTo address: String) async throws(LoginError) -> String {
        var pairs = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (name: "redirect_uri", value: address), (name: "code_verifier", value: verifier),
            (name: "client_id", value: clientID),
        ]
        var authorization: String?
        if provider.takesSecretInForm {
            pairs.append((name: "client_secret", value: clientSecret))
        } else {
            let credentials = "\(FormEncoding.encode(clientID)):\(FormEncoding.encode(clientSecret))"
            authorization = "Basic \(Data(credentials.utf8).base64EncodedString())"
        }
        let form = HTTPFetch.Form(body: Array(FormEncoding.encode(pairs).utf8), authorization: authorization)
        let response = try await response(to: form)
        guard case .object(let members)? = try? JSONParser.parse(response.body) else {
            throw .provider("\(provider.token.name) answers with the status \(response.status), and not with JSON.")
        }
        guard response.status == 200 else { throw Self.refusal(members, of: provider, status: response.status) }
        guard case .string(let token)? = members["id_token"] else {
            throw .provider("\(provider.token.name) gives no `id_token`; the client must be one of OpenID Connect.")
        }
        return token
    }

    private func response(to form: HTTPFetch.Form) async throws(LoginError) -> HTTPFetch.Response {
        var fetch = HTTPFetch(
            url: provider.token,
            maximumByteCount: Self.maximumByteCount,
            connectTimeout: limit.duration
        )
        fetch.form = form
        fetch.trustRoots = trustRoots
        do {
            return try await limit.apply { [fetch] in try await fetch.response() }
        } catch is TimeLimit.Exceeded {
            throw .provider("\(provider.token.name) did not answer within \(limit.seconds) seconds.")
        } catch {
            throw .provider("\(provider.token.name) cannot be asked: \(error)")
        }
    }

    /// Returns the error for an error response (RFC 6749 §5.2), of which only a short code is repeated.
    private static func refusal(_ members: JSONObject, of provider: ProviderDocument, status: Int) -> LoginError {
        guard case .string(let word)? = members["error"], word.utf8.count <= 64,
            word.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return .provider("\(provider.token.name) answers with the status \(status).") }
        switch word.bytewise {
        case "invalid_client", "unauthorized_client": return .client
        default: return .provider("\(provider.token.name) answers with the status \(status) and `\(word)`.")
        }
    }
}

/// The encoding of names and values as `application/x-www-form-urlencoded` (RFC 6749 appendix B).
enum FormEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns pairs encoded as one text, in their order.
    static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Returns a text with all but unreserved characters percent-encoded as UTF-8 (RFC 3986 §2.3).
    static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~".utf8.contains(byte)
    }
}
