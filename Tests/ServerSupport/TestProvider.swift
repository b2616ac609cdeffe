import Crypto
import DeepLinkFormats
import Foundation
package import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A small identity provider on a loopback port: OpenID Connect's code flow with PKCE for one client, which is checked.
package final class TestProvider: Sendable {
    package static let clientID = "waymark console"
    package static let clientSecret = "a secret: with %, + and ü"

    /// The behaviour of the provider, which tests change.
    package struct Behaviour: Sendable {
        /// The members of its document that differ, as JSON; `nil` for one that is left out.
        package var document: [String: String?] = [:]

        /// The claims of its ID tokens that differ, as JSON; `nil` for one that is left out.
        package var claims: [String: String?] = [:]

        /// Makes an ID token of claims; by default the token is signed by a key that is published.
        package var token: (@Sendable (TestIssuer, String) throws -> String)?

        /// The status of every answer; `nil` for the right one.
        package var status: HTTPResponse.Status?

        /// The delay of every answer.
        package var delay = Duration.zero

        /// Whether the secret must stand in the form.
        package var takesSecretInForm = false

        /// The time of its clock, in seconds.
        package var seconds = TestIssuer.seconds
    }

    /// A code that was given, and what belongs to it.
    private struct Grant {
        let address: String
        let challenge: String
        let nonce: String
    }

    private struct State {
        var behaviour = Behaviour()
        var port = 0
        var grants: [String: Grant] = [:]
        var requests: [String] = []
    }

    private struct Refused: Error {}

    private let issuerKeys: TestIssuer
    private let state = Mutex(State())

    private init(_ keys: TestIssuer) { issuerKeys = keys }

    /// The issuer.
    package var issuer: String { "http://127.0.0.1:\(state.withLock(\.port))" }

    /// The paths that were asked for.
    package var requests: [String] { state.withLock(\.requests) }

    /// Changes the behaviour.
    package func change(_ body: (inout Behaviour) -> Void) { state.withLock { body(&$0.behaviour) } }

    /// Logs a person in, as a browser that was sent to an address does.
    ///
    /// - Returns: the query of the address that the browser is sent back to.
    /// - Throws: an error if the request for the login isn't one of OpenID Connect with PKCE.
    package func logIn(at address: String) throws -> String {
        let components = URLComponents(string: address)
        var values: [String: String] = [:]
        for item in components?.queryItems ?? [] { values[item.name] = item.value }
        guard address.hasPrefix("\(issuer)/authorize?"), values["response_type"] == "code",
            values["client_id"] == Self.clientID, values["scope"]?.split(separator: " ").contains("openid") == true,
            values["code_challenge_method"] == "S256", let challenge = values["code_challenge"], challenge.count == 43,
            let nonce = values["nonce"], let state = values["state"], let back = values["redirect_uri"]
        else { throw Refused() }
        let code = UUID().uuidString
        self.state.withLock { $0.grants[code] = Grant(address: back, challenge: challenge, nonce: nonce) }
        return "code=\(code)&state=\(state)&session_state=more"
    }

    /// Runs a provider while a body runs.
    package static func with<Value: Sendable>(_ body: (TestProvider) async throws -> Value) async throws -> Value {
        let provider = TestProvider(try await TestIssuer.shared.value)
        let router = Router()
        router.get("/.well-known/openid-configuration") { request, _ in
            try await provider.respond(request) { $0.document() }
        }
        router.get("/keys") { request, _ in
            try await provider.respond(request) { provider in
                TestIssuer.document([provider.issuerKeys.curve.jwk, provider.issuerKeys.rsa.jwk])
            }
        }
        router.post("/token") { request, _ in
            let form = Array(try await request.body.collect(upTo: 65_536).readableBytesView)
            let authorization = request.headers[.authorization]
            return try await provider.respond(request) {
                try $0.tokens(String(decoding: form, as: UTF8.self), authorization)
            }
        }
        var logger = Logger(label: "provider")
        logger.logLevel = .critical
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
        func service(_ onListening: @escaping @Sendable (Int) -> Void) -> any Service {
            Application(
                router: router,
                configuration: configuration,
                onServerRunning: { channel in channel.localAddress?.port.map(onListening) },
                logger: logger
            )
        }
        return try await withServer(service) { port in
            provider.state.withLock { $0.port = port }
            return try await body(provider)
        }
    }

    private func respond(_ request: Request, _ body: (TestProvider) throws -> [UInt8]) async throws -> Response {
        let behaviour = state.withLock { state in
            state.requests.append(request.uri.path)
            return state.behaviour
        }
        if behaviour.delay > .zero {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: behaviour.delay) }
        }
        var status = behaviour.status ?? .ok
        var bytes: [UInt8]
        do {
            bytes = try body(self)
        } catch let refusal as TokenRefusal {
            status = refusal.word == "invalid_client" ? .unauthorized : .badRequest
            bytes = Array(#"{"error":"\#(refusal.word)"}"#.utf8)
        }
        if behaviour.status != nil { bytes = Array("<p>Out of order".utf8) }
        return Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private func document() -> [UInt8] {
        let behaviour = state.withLock(\.behaviour)
        var members: [String: String] = [
            "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(issuer)/authorize?tenant=1\"",
            "token_endpoint": "\"\(issuer)/token\"", "jwks_uri": "\"\(issuer)/keys\"",
            "end_session_endpoint": "\"\(issuer)/logout\"",
        ]
        if behaviour.takesSecretInForm {
            members["token_endpoint_auth_methods_supported"] = #"["private_key_jwt","client_secret_post"]"#
        }
        return Self.json(members, behaviour.document)
    }

    /// An error response of the token endpoint (RFC 6749 §5.2).
    private struct TokenRefusal: Error {
        let word: String
    }

    private func tokens(_ form: String, _ authorization: String?) throws -> [UInt8] {
        var values: [String: String] = [:]
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            values[parts[0]] = parts[1].removingPercentEncoding
        }
        let (behaviour, grant) = state.withLock { state in
            (state.behaviour, values["code"].flatMap { state.grants.removeValue(forKey: $0) })
        }
        let secret =
            behaviour.takesSecretInForm
            ? values["client_secret"] : authorization.flatMap { Self.basic($0, user: Self.clientID) }
        guard secret == Self.clientSecret else { throw TokenRefusal(word: "invalid_client") }
        guard let grant, grant.address == values["redirect_uri"], values["grant_type"] == "authorization_code",
            let verifier = values["code_verifier"],
            Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) == grant.challenge
        else { throw TokenRefusal(word: "invalid_grant") }
        let claims = Self.claims(issuer: issuer, nonce: grant.nonce, seconds: behaviour.seconds, behaviour.claims)
        let token = try behaviour.token?(issuerKeys, claims) ?? issuerKeys.curve.token(claims)
        return Self.json(["id_token": "\"\(token)\"", "access_token": "\"opaque\"", "token_type": "\"Bearer\""], [:])
    }

    private static func basic(_ authorization: String, user: String) -> String? {
        guard authorization.hasPrefix("Basic "), let data = Data(base64Encoded: String(authorization.dropFirst(6)))
        else {
            return nil
        }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].removingPercentEncoding == user else { return nil }
        return parts[1].removingPercentEncoding
    }

    /// The claims of a good ID token of an administrator, with some replaced by JSON values, or removed by `nil`.
    package static func claims(
        issuer: String,
        nonce: String,
        seconds: Int = TestIssuer.seconds,
        _ changes: [String: String?] = [:]
    ) -> String {
        let claims = [
            "iss": "\"\(issuer)\"", "aud": "\"\(clientID)\"", "sub": "\"f81d4fae\"", "nonce": "\"\(nonce)\"",
            "iat": "\(seconds)", "exp": "\(seconds + 300)", "preferred_username": "\"ada\"", "roles": #"["admin"]"#,
        ]
        return String(decoding: json(claims, changes), as: UTF8.self)
    }

    private static func json(_ members: [String: String], _ changes: [String: String?]) -> [UInt8] {
        var members = members
        for (name, value) in changes { members[name] = value }
        let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return Array("{\(text)}".utf8)
    }
}
