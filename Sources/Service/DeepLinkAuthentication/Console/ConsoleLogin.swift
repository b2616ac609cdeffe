package import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
package import Logging
import Synchronization

/// The login of console users by an identity provider: OpenID Connect's authorization code flow with PKCE (RFC 9700
/// §2.1.1).
///
/// The server stores nothing of a login. The browser keeps its attempts and its session, sealed by keys that replicas
/// share.
package final class ConsoleLogin: Sendable {
    /// The path of the redirect URI, to which the provider returns persons.
    package static let returnPath = "/console/callback"

    /// The maximum number of codes exchanged at once, since anyone can invent one.
    private static let maximumExchangeCount = 16

    /// The sessions of logged-in persons.
    package let sessions: ConsoleSessions

    /// The service that reads the provider's document and keys while the server runs.
    package let refresher: KeySetRefresher

    private let settings: OpenIDSettings
    private let attempts: SealingKeys
    private let verifier: IDTokenVerifier
    private let logger: Logger
    private let exchangeCount = Mutex(0)

    /// Creates the login, or returns `nil` without a secret.
    ///
    /// - Parameters:
    ///   - settings: the provider, the client and the roles.
    ///   - secrets: the secrets that replicas share, of 32 bytes or more. The first seals, and all open.
    ///   - logger: the logger for logins.
    package convenience init?(_ settings: OpenIDSettings, secrets: [[UInt8]], logger: Logger) {
        self.init(settings, secrets: secrets, pace: RefreshPace(interval: .seconds(300)), logger: logger)
    }

    init?(_ settings: OpenIDSettings, secrets: [[UInt8]], pace: RefreshPace, logger: Logger) {
        let scope = "\(settings.issuer)\n\(settings.clientID)"
        guard let sessions = ConsoleSessions(secrets: secrets, scope: scope),
            let attempts = SealingKeys(secrets: secrets, purpose: "login\n\(scope)")
        else { return nil }
        self.sessions = sessions
        self.attempts = attempts
        self.settings = settings
        self.logger = logger
        let ring = KeyRing()
        refresher = KeySetRefresher(
            source: settings.source,
            pace: pace,
            owner: "the console's identity provider",
            ring: ring,
            logger: logger
        )
        verifier = IDTokenVerifier(
            issuer: settings.issuer,
            clientID: settings.clientID,
            signatures: TokenSignatureCheck(ring: ring, refresher: refresher)
        )
    }

    // MARK: Logging in

    /// Begins a login on a page.
    ///
    /// - Parameters:
    ///   - origin: the origin of the page.
    ///   - time: the current time.
    /// - Returns: the attempt, its sealed text for the browser's cookie, and the URL of the provider's login page.
    /// - Throws: ``LoginError/provider(_:)`` if the provider's document is unavailable.
    package func begin(
        from origin: String,
        at time: Timestamp
    ) async throws -> (attempt: LoginAttempt, sealed: String, address: String) {
        let provider = try await provider()
        let attempt = LoginAttempt(from: origin, at: time)
        let address = provider.authorization.adding([
            (name: "response_type", value: "code"), (name: "client_id", value: settings.clientID),
            (name: "redirect_uri", value: origin + Self.returnPath), (name: "scope", value: "openid profile email"),
            (name: "state", value: attempt.state), (name: "nonce", value: attempt.nonce),
            (name: "code_challenge", value: attempt.challenge), (name: "code_challenge_method", value: "S256"),
        ])
        return (attempt, try attempts.seal(attempt.content), address)
    }

    /// Returns the attempt of a sealed text from a browser, or `nil` if the text is invalid or expired.
    package func attempt(ofSealed text: String, at time: Timestamp) -> LoginAttempt? {
        guard let attempt = attempts.open(text).flatMap(LoginAttempt.init), time < attempt.end else { return nil }
        return attempt
    }

    /// Finishes a login with the provider's response, and logs the result.
    ///
    /// - Parameters:
    ///   - answer: the provider's response.
    ///   - attempt: the attempt that the browser stored under that `state`, or `nil` if there is none.
    ///   - requestID: the id of the request, for the log.
    ///   - time: the current time.
    /// - Returns: the session of the person.
    /// - Throws: ``LoginError``.
    package func finish(
        _ answer: LoginResponse,
        of attempt: LoginAttempt?,
        requestID: String,
        at time: Timestamp
    ) async throws(LoginError) -> ConsoleSession {
        do throws(LoginError) {
            guard let attempt else { throw .unknownAttempt }
            let session = try await session(answer, of: attempt, at: time)
            logger.notice(
                "A person has logged in to the console.",
                metadata: [
                    "person": "\(session.person.label)",
                    "roles": "\(session.person.roles.map(\.rawValue).joined(separator: ", "))",
                    "requestId": "\(requestID)",
                ]
            )
            return session
        } catch {
            logger.warning(
                "Nobody was logged in to the console.",
                metadata: ["reason": "\(error)", "requestId": "\(requestID)"]
            )
            throw error
        }
    }

    private func session(
        _ answer: LoginResponse,
        of attempt: LoginAttempt,
        at time: Timestamp
    ) async throws(LoginError) -> ConsoleSession {
        let provider = try await provider()
        guard answer.isOf(issuer: settings.issuer, isNamed: provider.namesIssuerInAnswers) else {
            throw .provider("The answer names another issuer than console.oidc.issuer, or none.")
        }
        let code = try answer.code()
        let exchange = CodeExchange(
            provider: provider,
            clientID: settings.clientID,
            clientSecret: settings.clientSecret,
            limit: TimeLimit(duration: settings.timeout)
        )
        guard
            exchangeCount.withLock({ count in
                guard count < Self.maximumExchangeCount else { return false }
                count += 1
                return true
            })
        else { throw .busy }
        defer { exchangeCount.withLock { $0 -= 1 } }
        let token = try await exchange.idToken(
            for: code,
            verifier: attempt.verifier,
            sentTo: attempt.origin + Self.returnPath
        )
        let claims: JSONObject
        do throws(IDTokenError) {
            claims = try await verifier.claims(of: token, nonce: attempt.nonce, at: time)
        } catch {
            throw .token(error)
        }
        let roles = settings.roles(claims)
        guard let person = ConsoleUser(claims, roles: roles) else { throw .noRole(ConsoleUser.name(claims)) }
        return sessions.begin(of: person, at: time)
    }

    /// Returns the provider's document.
    ///
    /// If none is loaded, it is fetched, at most every 10 seconds.
    private func provider() async throws(LoginError) -> ProviderDocument {
        if let document = settings.source.document { return document }
        await refresher.refreshForUnknownKey()
        guard let document = settings.source.document else {
            throw .provider("The document of the identity provider cannot be read: \(settings.source.name).")
        }
        return document
    }

    // MARK: Logging out

    /// Returns the URL at which the provider ends its own session and returns the person to the console, or `nil` if it
    /// has none (OpenID Connect RP-Initiated Logout §2).
    package func logoutAddress(for origin: String) -> String? {
        settings.source.document?.logout?
            .adding([
                (name: "client_id", value: settings.clientID),
                (name: "post_logout_redirect_uri", value: origin + "/console"),
            ])
    }
}
