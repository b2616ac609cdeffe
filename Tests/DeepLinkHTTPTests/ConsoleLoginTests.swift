import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Logging
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP

/// Tests of the console's logins and sessions over HTTP, with a browser that keeps cookies as RFC 6265 has it.
@Suite struct ConsoleLoginTests {
    /// A browser that shows the console of a server.
    private final class Browser {
        let port: Int
        let host: String
        var origin: String
        var cookies: [String: String] = [:]

        init(port: Int, host: String = "localhost", origin: String? = nil) {
            self.port = port
            self.host = host
            self.origin = origin ?? "http://\(host)"
        }

        /// Sends a request as the page does, and keeps the cookies of the answer.
        func send(_ method: String, _ path: String, fields: String = "", body: String = "") async throws -> RawResponse
        {
            let cookie = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
            let own = method == "GET" ? "" : "Origin: \(origin)\r\nContent-Length: \(body.utf8.count)\r\n"
            let request =
                "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(own)"
                + (cookie.isEmpty ? "" : "Cookie: \(cookie)\r\n") + "\(fields)\r\n\(body)"
            let response = try await RawConnection(port: port).exchange(Array(request.utf8))
            for line in response.head where line.hasPrefix("Set-Cookie: ") {
                let pair = line.dropFirst(12).split(separator: ";")[0]
                    .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                cookies[String(pair[0])] = line.contains("Max-Age=0;") ? nil : String(pair[1])
            }
            return response
        }

        /// Begins a login; returns the address of the provider's page.
        func begin() async throws -> String {
            let response = try await send("POST", "/console/login")
            #expect(response.status == 200)
            return try #require(Self.member("location", of: response))
        }

        /// Comes back from the provider; returns how the login ended.
        func comeBack(_ query: String) async throws -> String {
            let response = try await send("GET", "/console/callback?\(query)")
            #expect(response.status == 303)
            let location = response.head.first { $0.hasPrefix("Location: ") }
            return String(try #require(location).dropFirst("Location: /console#login=".count))
        }

        /// The token of the session; `nil` if nobody is logged in.
        func token() async throws -> String? {
            let response = try await send("POST", "/console/session")
            #expect(response.status == 200)
            return Self.member("token", of: response)
        }

        static func member(_ name: String, of response: RawResponse) -> String? {
            guard case .object(let members)? = try? JSONParser.parse(response.body),
                case .string(let text)? = members[name.bytewise]
            else { return nil }
            return text
        }
    }

    private static let secret = [UInt8](repeating: 7, count: 32)

    private func login(_ provider: TestProvider) throws -> ConsoleLogin {
        let settings = try OpenIDSettings(
            issuer: provider.issuer,
            clientID: TestProvider.clientID,
            clientSecret: TestProvider.clientSecret,
            roleClaim: "roles",
            timeout: .seconds(60)
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try #require(ConsoleLogin(settings, secrets: [Self.secret], logger: logger))
    }

    /// Serves with logins while a body runs.
    private func serving(
        callerLimits: CallerLimits? = nil,
        consoleHosts: [String] = [],
        _ body: @Sendable @escaping (_ provider: TestProvider, _ port: Int) async throws -> Void
    ) async throws {
        try await TestProvider.with { provider in
            let service = try TestServer.service(
                callerLimits: callerLimits,
                consoleHosts: consoleHosts,
                login: try login(provider)
            )
            try await TestServer.application(service).whileServing { port in try await body(provider, port) }
        }
    }

    @Test func `a person logs in, reads, writes a level as themselves, and logs out`() async throws {
        try await serving { provider, port in
            let browser = Browser(port: port)
            #expect(try await browser.token() == nil)
            #expect(try await browser.send("GET", "/v1/users").status == 401)
            #expect(try await browser.comeBack(try provider.logIn(at: try await browser.begin())) == "done")
            #expect(browser.cookies.keys.sorted() == ["waymark-session"])
            // The cookie alone gives access to nothing.
            #expect(try await browser.send("GET", "/v1/users").status == 401)
            let token = try #require(try await browser.token())
            let bearer = "Authorization: Bearer \(token)\r\n"
            #expect(try await browser.send("GET", "/v1/users", fields: bearer).status == 200)
            let written = try await browser.send(
                "POST",
                "/v1/users/bob",
                fields: bearer + "Content-Type: application/json\r\n",
                body: #"{"authorizationLevel":"premiumUser"}"#
            )
            #expect(written.status == 201)
            let history = try await browser.send("GET", "/v1/users/bob/history", fields: bearer)
            #expect(history.text.contains(#""by":"person ada (f81d4fae)""#), "\(history.text)")
            let end = try await browser.send("DELETE", "/console/session")
            #expect(Browser.member("location", of: end)?.hasPrefix("\(provider.issuer)/logout?") == true)
            #expect(browser.cookies.isEmpty)
            #expect(try await browser.token() == nil)
        }
    }

    @Test func `roles that are not an admin's read no users`() async throws {
        try await serving { provider, port in
            provider.change { $0.claims["roles"] = #"["resolver"]"# }
            let browser = Browser(port: port)
            #expect(try await browser.comeBack(try provider.logIn(at: try await browser.begin())) == "done")
            let bearer = "Authorization: Bearer \(try #require(try await browser.token()))\r\n"
            #expect(try await browser.send("GET", "/v1/catalog", fields: bearer).status == 200)
            #expect(try await browser.send("GET", "/v1/users", fields: bearer).status == 403)
            #expect(try await browser.send("GET", "/metrics", fields: bearer).status == 403)
            provider.change { $0.claims["roles"] = "[]" }
            let other = Browser(port: port)
            #expect(try await other.comeBack(try provider.logIn(at: try await other.begin())) == "role")
            #expect(other.cookies.isEmpty)
        }
    }

    @Test func `a session of one replica counts on another`() async throws {
        try await TestProvider.with { provider in
            let one = try TestServer.service(login: try login(provider))
            let other = try TestServer.service(login: try login(provider))
            try await TestServer.application(one)
                .whileServing { first in
                    try await TestServer.application(other)
                        .whileServing { second in
                            let browser = Browser(port: first)
                            let query = try provider.logIn(at: try await browser.begin())
                            let moved = Browser(port: second)
                            moved.cookies = browser.cookies
                            #expect(try await moved.comeBack(query) == "done")
                            let back = Browser(port: first)
                            back.cookies = moved.cookies
                            let token = try #require(try await back.token())
                            let bearer = "Authorization: Bearer \(token)\r\n"
                            #expect(try await moved.send("GET", "/v1/users", fields: bearer).status == 200)
                        }
                }
        }
    }

    @Test func `logins in two tabs both end well, and none ends twice`() async throws {
        try await serving { provider, port in
            let browser = Browser(port: port)
            let (first, second) = (try await browser.begin(), try await browser.begin())
            #expect(browser.cookies.count == 2)
            let answers = (try provider.logIn(at: first), try provider.logIn(at: second))
            #expect(try await browser.comeBack(answers.1) == "done")
            #expect(try await browser.comeBack(answers.0) == "done")
            for answer in [answers.0, answers.1] { #expect(try await browser.comeBack(answer) == "expired") }
            // The session stays.
            #expect(try await browser.token() != nil)
        }
    }

    @Test func `an answer that another browser began logs nobody in`() async throws {
        try await serving { provider, port in
            let (attacker, victim) = (Browser(port: port), Browser(port: port))
            let answer = try provider.logIn(at: try await attacker.begin())
            _ = try await victim.begin()
            #expect(try await victim.comeBack(answer) == "expired")
            for query in [
                "", "code=a", "state=a&code=b", answer + "&" + answer, "error=access_denied", "state=%ZZ&%=1&&=",
            ] {
                #expect(try await victim.comeBack(query) == "expired", "\(query)")
            }
            #expect(victim.cookies.keys.filter { $0.contains("session") }.isEmpty)
            #expect(provider.requests.filter { $0 == "/token" }.isEmpty)
        }
    }

    @Test func `logins that are given up do not pile up in the browser`() async throws {
        try await serving { _, port in
            let browser = Browser(port: port)
            for _ in 0..<12 {
                _ = try await browser.begin()
                #expect(browser.cookies.count <= 4)
            }
        }
    }

    // Some proxies pass the port of https on, which browsers leave out.
    @Test(arguments: ["console.internal", "console.internal:443"])
    func `cookies are kept from scripts, other pages and other hosts`(_ host: String) async throws {
        try await serving(consoleHosts: []) { provider, port in
            let browser = Browser(port: port, host: host, origin: "https://console.internal")
            let begun = try await browser.send("POST", "/console/login")
            let attempt = try #require(begun.head.first { $0.hasPrefix("Set-Cookie: ") })
            #expect(attempt.hasPrefix("Set-Cookie: __Host-waymark-login-"))
            #expect(attempt.hasSuffix("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"))
            let address = try #require(Browser.member("location", of: begun))
            #expect(address.contains("redirect_uri=https%3A%2F%2Fconsole.internal%2Fconsole%2Fcallback&"))
            let back = try await browser.send("GET", "/console/callback?\(try provider.logIn(at: address))")
            let session = try #require(back.head.last { $0.hasPrefix("Set-Cookie: ") })
            #expect(session.hasPrefix("Set-Cookie: __Host-waymark-session="))
            #expect(session.hasSuffix("; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure"))
            #expect(session.utf8.count < 4096)
            #expect(try await browser.token() != nil)
            // A cookie that a sibling host or a network could have set is none of a page by TLS.
            let plain = Browser(port: port, host: host, origin: "https://console.internal")
            plain.cookies["waymark-session"] = browser.cookies["__Host-waymark-session"]
            #expect(try await plain.token() == nil)
        }
    }

    @Test(arguments: ["POST /console/login", "POST /console/session", "DELETE /console/session"])
    func `only the console's own page may send this`(_ request: String) async throws {
        try await serving { _, port in
            let words = request.split(separator: " ").map(String.init)
            for origin in ["null", "https://evil.example", "http://localhost.evil.example", "http://localhost:1", ""] {
                let browser = Browser(port: port, origin: origin)
                let response = try await browser.send(words[0], words[1])
                #expect(response.status == 400, "\(origin)")
                #expect(browser.cookies.isEmpty)
            }
            // Two are none.
            let browser = Browser(port: port)
            #expect(
                try await browser.send(words[0], words[1], fields: "Origin: https://evil.example\r\n").status == 400
            )
            // A host of the catalog's links has no console.
            let stranger = Browser(port: port, host: "loremipsum.com", origin: "https://loremipsum.com")
            #expect(try await stranger.send(words[0], words[1]).status == 404)
        }
    }

    @Test func `nobody logs in over a network without TLS`() async throws {
        try await serving { _, port in
            for (host, status) in [
                ("console.internal", 400), ("10.0.0.1", 400), ("127.0.0.1", 200), ("[::1]:8080", 200),
            ] {
                let response = try await Browser(port: port, host: host).send("POST", "/console/login")
                #expect(response.status == status, "\(host)")
            }
        }
    }

    @Test func `without a provider there is nothing to log in to`() async throws {
        try await TestServer.application(.tokens)
            .whileServing { port in
                let browser = Browser(port: port)
                let begun = try await browser.send("POST", "/console/login")
                #expect(begun.status == 404)
                #expect(try await browser.send("DELETE", "/console/session").status == 404)
                #expect(try await browser.send("GET", "/console/callback?code=a&state=b").status == 404)
                #expect(try await browser.send("POST", "/console/session").text == #"{"canLogIn":false}"#)
            }
    }

    @Test func `a provider that does not answer is 503, and a service token still works`() async throws {
        try await TestProvider.with { provider in
            provider.change { $0.status = .serviceUnavailable }
            let service = try TestServer.service(.tokens, login: try login(provider))
            try await TestServer.application(service)
                .whileServing { port in
                    let browser = Browser(port: port)
                    let response = try await browser.send("POST", "/console/login")
                    #expect(response.status == 503)
                    #expect(response.head.contains("Retry-After: 10"))
                    let bearer = "Authorization: Bearer \(TestToken.admin.text)\r\n"
                    #expect(try await browser.send("GET", "/v1/users", fields: bearer).status == 200)
                    for token in ["wp_", "wp_AAAA"] {
                        let fields = "Authorization: Bearer \(token)\r\n"
                        #expect(try await browser.send("GET", "/v1/users", fields: fields).status == 401)
                    }
                }
        }
    }

    @Test func `an address begins and ends so many logins a second, and no more`() async throws {
        try await serving(callerLimits: CallerLimits(rate: nil, addressRate: 3)) { _, port in
            let browser = Browser(port: port)
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await browser.send("GET", "/console/callback").status) }
            #expect(statuses == [303, 303, 303, 429])
            // Sessions are asked for at every page.
            for _ in 0..<6 { #expect(try await browser.token() == nil) }
        }
    }
}
