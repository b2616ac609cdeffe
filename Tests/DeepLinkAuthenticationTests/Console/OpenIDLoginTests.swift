import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes
import Logging
import ServerTestSupport
import Testing

@testable import DeepLinkAuthentication

/// Tests of logins against a provider that checks what it is sent.
@Suite struct OpenIDLoginTests {
    private static let origin = "https://console.example"
    private static let now = TestIssuer.now

    private func login(
        at issuer: String,
        secret: String = TestProvider.clientSecret,
        claim: String = "roles",
        roles: [ByteText: Role] = [:]
    ) throws -> ConsoleLogin {
        let settings = try OpenIDSettings(
            issuer: issuer,
            clientID: TestProvider.clientID,
            clientSecret: secret,
            roleClaim: claim,
            roles: roles,
            timeout: .seconds(60)
        )
        let pace = RefreshPace(interval: .seconds(300), spacing: .zero)
        let secrets = [[UInt8](repeating: 7, count: 32)]
        return try #require(ConsoleLogin(settings, secrets: secrets, pace: pace, logger: TestIssuer.logger))
    }

    /// Logs in as a browser does; returns the person, or the word for the refusal.
    private func outcome(
        of login: ConsoleLogin,
        by provider: TestProvider,
        changing query: (String) -> String = { $0 }
    ) async throws -> (person: ConsoleUser?, word: String) {
        do {
            let (attempt, sealed, address) = try await login.begin(from: Self.origin, at: Self.now)
            let kept = try #require(login.attempt(ofSealed: sealed, at: Self.now))
            #expect(kept.state == attempt.state)
            let answer = Self.answer(query(try provider.logIn(at: address)))
            let session = try await login.finish(answer, of: kept, requestID: "1", at: Self.now)
            return (session.person, "done")
        } catch let error as LoginError {
            return (nil, error.word)
        }
    }

    private static func answer(_ query: String) -> LoginResponse {
        var values: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            values[parts[0]] = parts[1]
        }
        return LoginResponse(code: values["code"], error: values["error"], issuer: values["iss"])
    }

    @Test func `a person logs in`() async throws {
        try await TestProvider.with { provider in
            let (person, _) = try await outcome(of: try login(at: provider.issuer), by: provider)
            #expect(person == ConsoleUser(subject: "f81d4fae", name: "ada", roles: [.admin]))
            #expect(provider.requests == ["/.well-known/openid-configuration", "/keys", "/token"])
            provider.change { $0.takesSecretInForm = true }
            #expect(try await outcome(of: try login(at: provider.issuer), by: provider).word == "done")
        }
    }

    @Test func `a wrong secret is told from other refusals`() async throws {
        try await TestProvider.with { provider in
            #expect(try await outcome(of: try login(at: provider.issuer, secret: "old"), by: provider).word == "client")
            let right = try login(at: provider.issuer)
            #expect(try await outcome(of: right, by: provider) { _ in "code=made-up&state=x" }.word == "provider")
            #expect(try await outcome(of: right, by: provider) { _ in "error=access_denied" }.word == "denied")
            #expect(try await outcome(of: right, by: provider) { _ in "error=server_error" }.word == "provider")
            #expect(try await outcome(of: right, by: provider) { _ in "state=x" }.word == "provider")
            #expect(try await outcome(of: right, by: provider).word == "done")
        }
    }

    @Test func `a code is good for one login, and only in the browser that began it`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            let (attempt, _, address) = try await login.begin(from: Self.origin, at: Self.now)
            let (stranger, _, _) = try await login.begin(from: Self.origin, at: Self.now)
            let code = try provider.logIn(at: address)
            // Another's attempt has another verifier and nonce; the code is spent by the try.
            for kept in [nil, stranger, attempt] {
                do throws(LoginError) {
                    _ = try await login.finish(Self.answer(code), of: kept, requestID: "1", at: Self.now)
                    Issue.record("a code was taken")
                } catch {
                    #expect(error.word == (kept == nil ? "expired" : "provider"))
                }
            }
        }
    }

    @Test func `an attempt is over after ten minutes, and another service's is none`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            let (_, sealed, _) = try await login.begin(from: Self.origin, at: Self.now)
            #expect(login.attempt(ofSealed: sealed, at: Self.now.adding(seconds: 599)) != nil)
            #expect(login.attempt(ofSealed: sealed, at: Self.now.adding(seconds: 600)) == nil)
            #expect(login.attempt(ofSealed: sealed + "A", at: Self.now) == nil)
            let cookie = try login.sessions.cookie(
                of: login.sessions.begin(
                    of: try #require(ConsoleUser(subject: "a", name: "a", roles: [.admin])),
                    at: Self.now
                )
            )
            #expect(login.attempt(ofSealed: cookie, at: Self.now) == nil)
        }
    }

    @Test(
        arguments: [
            (#""admin""#, [Role.admin]), (#"["monitor","resolver","other"]"#, [.resolver, .monitor]),
            (#"["ADMIN"]"#, []), (#"["granter"]"#, []), ("[]", []), ("null", []),
            (#"{"admin":true}"#, []), (#"[["admin"]]"#, []),
        ] as [(String, [Role])]
    )
    func `the claim gives the roles that it names`(
        _ claim: String,
        _ roles: [Role]
    ) async throws {
        try await TestProvider.with { provider in
            provider.change { $0.claims["roles"] = claim }
            let login = try login(at: provider.issuer)
            let (person, word) = try await outcome(of: login, by: provider)
            #expect(person?.roles ?? [] == roles)
            #expect(word == (roles.isEmpty ? "role" : "done"))
        }
    }

    @Test(
        arguments: [
            (#""staff""#, [Role.monitor]), (#"["staff","ops","other"]"#, [.admin, .monitor]), (#""admin""#, []),
            (#"["monitor","resolver"]"#, []),
        ] as [(String, [Role])]
    )
    func `where the settings give values roles, no name of a role counts`(_ claim: String, _ roles: [Role]) async throws
    {
        try await TestProvider.with { provider in
            provider.change { $0.claims["roles"] = claim }
            let login = try login(at: provider.issuer, roles: ["staff": .monitor, "ops": .admin])
            let (person, word) = try await outcome(of: login, by: provider)
            #expect(Set(person?.roles ?? []).isSubset(of: roles) && person?.roles.isEmpty ?? true == roles.isEmpty)
            #expect(word == (roles.isEmpty ? "role" : "done"))
        }
    }

    @Test func `endpoints of a provider behind https are https`() {
        func document(_ issuer: String, _ endpoint: String) -> ProviderDocument? {
            let text = """
                {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/login","token_endpoint":"\(endpoint)",\
                "jwks_uri":"\(issuer)/keys"}
                """
            return try? ProviderDocument(Array(text.utf8), issuer: issuer)
        }
        #expect(document("https://id.example", "https://id.example/token") != nil)
        #expect(document("https://id.example", "http://127.0.0.1:8000/token") == nil)
        #expect(document("http://localhost:9000", "http://127.0.0.1:8000/token") != nil)
    }

    @Test func `an address of mail gives a role only if it is verified`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer, claim: "email", roles: ["ada@b.example": .resolver])
            let cases: [(String?, String)] = [
                (nil, "role"), ("false", "role"), ("1", "role"), ("true", "done"), (#""true""#, "done"),
            ]
            for (verified, word) in cases {
                provider.change { $0.claims = ["email": #""ada@b.example""#, "email_verified": verified] }
                #expect(try await outcome(of: login, by: provider).word == word, "\(verified ?? "none")")
            }
        }
    }

    @Test func `clocks that differ by more than 30 seconds let nobody in`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            for (seconds, word) in [(29, "done"), (-29, "done"), (60, "token"), (-1000, "token")] {
                provider.change { $0.seconds = TestIssuer.seconds + seconds }
                #expect(try await outcome(of: login, by: provider).word == word, "\(seconds)")
            }
        }
    }

    @Test func `a token of another login, of another key, or without a signature lets nobody in`() async throws {
        let foreign = try await TestIssuer.foreign.value
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            provider.change { $0.claims = ["nonce": #""another""#] }
            #expect(try await outcome(of: login, by: provider).word == "token")
            provider.change { $0.claims = [:] }
            provider.change { $0.token = { _, claims in try foreign.curve.token(claims) } }
            #expect(try await outcome(of: login, by: provider).word == "token")
            provider.change { $0.token = { issuer, claims in try issuer.secret.token(claims) } }
            #expect(try await outcome(of: login, by: provider).word == "token")
            provider.change { $0.token = { _, _ in "none" } }
            #expect(try await outcome(of: login, by: provider).word == "token")
            provider.change { $0.token = nil }
            #expect(try await outcome(of: login, by: provider).word == "done")
        }
    }

    @Test func `a provider that is out of order is asked again at the next login`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            provider.change { $0.status = .serviceUnavailable }
            #expect(try await outcome(of: login, by: provider).word == "provider")
            provider.change { $0.status = nil }
            #expect(try await outcome(of: login, by: provider).word == "done")
            // Its document is known, and its token endpoint is down.
            provider.change { $0.status = .badGateway }
            #expect(try await outcome(of: login, by: provider).word == "provider")
        }
    }

    @Test(
        arguments: [
            ["issuer": #""http://127.0.0.1:1""#], ["issuer": nil], ["token_endpoint": nil],
            ["authorization_endpoint": #""http://id.example/a""#], ["jwks_uri": #""ftp://id.example/a""#],
            ["token_endpoint": "1"], ["end_session_endpoint": #""javascript:alert(1)""#],
        ] as [[String: String?]]
    )
    func `a document of another issuer, or with an endpoint that is not https, lets nobody in`(
        _ changes: [String: String?]
    ) async throws {
        try await TestProvider.with { provider in
            provider.change { $0.document = changes }
            let login = try login(at: provider.issuer)
            #expect(try await outcome(of: login, by: provider).word == "provider")
        }
    }

    @Test func `an answer that names another issuer, or none where it should, lets nobody in`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            #expect(try await outcome(of: login, by: provider) { $0 + "&iss=https://evil.example" }.word == "provider")
            #expect(try await outcome(of: login, by: provider) { $0 + "&iss=\(provider.issuer)" }.word == "done")
            provider.change { $0.document = ["authorization_response_iss_parameter_supported": "true"] }
            let other = try self.login(at: provider.issuer)
            #expect(try await outcome(of: other, by: provider).word == "provider")
            #expect(try await outcome(of: other, by: provider) { $0 + "&iss=\(provider.issuer)" }.word == "done")
        }
    }

    @Test func `logging out goes on to the provider, if it has a page for that`() async throws {
        try await TestProvider.with { provider in
            let login = try login(at: provider.issuer)
            #expect(login.logoutAddress(for: Self.origin) == nil)
            _ = try await login.begin(from: Self.origin, at: Self.now)
            let address = try #require(login.logoutAddress(for: Self.origin))
            #expect(
                address == "\(provider.issuer)/logout?client_id=waymark%20console"
                    + "&post_logout_redirect_uri=https%3A%2F%2Fconsole.example%2Fconsole"
            )
            provider.change { $0.document = ["end_session_endpoint": nil] }
            let other = try self.login(at: provider.issuer)
            _ = try await other.begin(from: Self.origin, at: Self.now)
            #expect(other.logoutAddress(for: Self.origin) == nil)
        }
    }

    @Test(arguments: [
        "", "id.example", "http://id.example", "https://id.example?a=b", "https://a@id.example", "file:///a",
    ])
    func `an issuer is an https URL without a query`(_ issuer: String) {
        #expect(throws: TrustedURLError.self) { try login(at: issuer) }
    }
}
