import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints of console logins, and of their sessions (decision record 49).
///
/// The browser's cookie gives the console's page a short-lived token, and nothing else. The API itself reads no
/// cookies, so that no other page can send requests in a person's name.
struct ConsoleSessionEndpoint {
    /// The maximum number of login attempts in a browser's cookies.
    ///
    /// When it is reached, they are removed.
    private static let maximumAttemptCount = 4

    /// The login, or `nil` if no provider is configured.
    let login: ConsoleLogin?

    let hosts: ConsoleHosts
    let now: @Sendable () -> Timestamp

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, "/console/login", access: .everyone, isLimited: true, handler: .later(begin)),
            // Providers may add further parameters.
            Endpoint(
                .get,
                "/console/callback",
                access: .everyone,
                query: nil,
                produces: .html,
                ignoresAccept: true,
                isLimited: true,
                handler: .later(finish)
            ),
            Endpoint(.post, "/console/session", access: .everyone, handler: .later(show)),
            Endpoint(.delete, "/console/session", access: .everyone, handler: .ready(end)),
        ]
    }

    // MARK: Logging in

    private func begin(_ call: EndpointRequest) async throws -> EndpointResponse {
        let login = try login(for: call)
        let origin = try ConsoleOrigin(ofPageIn: call.head)
        try origin.checkPrivacy(of: call.head)
        do {
            let (attempt, sealed, address) = try await login.begin(from: origin.text, at: now())
            guard let name = LoginAttempt.name(of: attempt.state) else { throw Problem.overloaded }
            let cookie = ConsoleCookie.login(name, isSecure: origin.isSecure)
            var fields = abandonedAttempts(call, isSecure: origin.isSecure)
            fields.append(cookie.field(sealed, seconds: LoginAttempt.lifetime))
            return EndpointResponse(LocationBody(location: address), fields: fields)
        } catch is LoginError {
            throw Problem(
                .overloaded,
                detail:
                    "The identity provider does not answer as it should; the server's log says more. A service token still "
                    + "works.",
                headers: [.retryAfter: "10"]
            )
        }
    }

    /// Returns the fields that remove a browser's unfinished login attempts, if there are many.
    private func abandonedAttempts(_ call: EndpointRequest, isSecure: Bool) -> HTTPFields {
        let prefix = ConsoleCookie.login("", isSecure: isSecure).name
        let names = RequestCookies(call.head.fields).names(beginningWith: prefix)
        var fields = HTTPFields()
        guard names.count >= Self.maximumAttemptCount else { return fields }
        for name in names {
            let rest = String(Substring(name.utf8.dropFirst(prefix.utf8.count)))
            fields.append(ConsoleCookie.login(rest, isSecure: isSecure).removal)
        }
        return fields
    }

    private func finish(_ call: EndpointRequest) async throws -> EndpointResponse {
        let login = try login(for: call)
        let query = LenientQuery(call.head.query)
        let found = query["state"].flatMap { attempt(of: $0, in: call, login: login) }
        var fields = HTTPFields()
        if let found { fields.append(found.cookie.removal) }
        let outcome: String
        do throws(LoginError) {
            let answer = LoginResponse(code: query["code"], error: query["error"], issuer: query["iss"])
            let session = try await login.finish(answer, of: found?.attempt, requestID: call.head.id, at: now())
            let cookie = ConsoleCookie.session(isSecure: found?.isSecure ?? true)
            fields.append(cookie.field(try Self.sealed(session, by: login), seconds: ConsoleSessions.lifetime))
            outcome = "done"
        } catch {
            outcome = error.word
        }
        fields[.location] = "/console#login=\(outcome)"
        return EndpointResponse(status: .seeOther, fields: fields)
    }

    private static func sealed(_ session: ConsoleSession, by login: ConsoleLogin) throws(LoginError) -> String {
        do {
            return try login.sessions.cookie(of: session)
        } catch {
            throw .provider("The session cannot be sealed: \(error)")
        }
    }

    /// Returns the attempt that a browser stored for a `state`, with its cookie, or `nil` if it has none.
    private func attempt(
        of state: String,
        in call: EndpointRequest,
        login: ConsoleLogin
    ) -> (attempt: LoginAttempt, cookie: ConsoleCookie, isSecure: Bool)? {
        guard let name = LoginAttempt.name(of: state) else { return nil }
        let cookies = RequestCookies(call.head.fields)
        for isSecure in [true, false] {
            let cookie = ConsoleCookie.login(name, isSecure: isSecure)
            guard let text = cookies[cookie.name], let attempt = login.attempt(ofSealed: text, at: now()),
                attempt.state.bytewise == state.bytewise,
                attempt.origin.bytewise == ConsoleOrigin(of: call.head, isSecure: isSecure).text.bytewise
            else { continue }
            return (attempt, cookie, isSecure)
        }
        return nil
    }

    // MARK: Sessions

    private func show(_ call: EndpointRequest) async throws -> EndpointResponse {
        try hosts.check(call.head)
        guard let login else { return EndpointResponse(ConsoleSessionBody(canLogIn: false)) }
        let origin = try ConsoleOrigin(ofPageIn: call.head)
        let time = now()
        let cookie = RequestCookies(call.head.fields)[ConsoleCookie.session(isSecure: origin.isSecure).name]
        guard let session = cookie.flatMap({ login.sessions.session(ofCookie: $0, at: time) }) else {
            return EndpointResponse(ConsoleSessionBody(canLogIn: true))
        }
        let token = try login.sessions.token(of: session, at: time)
        return EndpointResponse(
            ConsoleSessionBody(canLogIn: true, person: session.person, token: token.text, seconds: token.seconds)
        )
    }

    private func end(_ call: EndpointRequest) throws(Problem) -> EndpointResponse {
        let login = try login(for: call)
        let origin = try ConsoleOrigin(ofPageIn: call.head)
        var fields = HTTPFields()
        fields.append(ConsoleCookie.session(isSecure: origin.isSecure).removal)
        return EndpointResponse(LocationBody(location: login.logoutAddress(for: origin.text)), fields: fields)
    }

    /// Returns the login.
    ///
    /// - Throws: `Problem` with the code `not-found`, at a host without the console, or if no provider is configured.
    private func login(for call: EndpointRequest) throws(Problem) -> ConsoleLogin {
        try hosts.check(call.head)
        guard let login else {
            throw Problem(
                .notFound,
                detail: "Nobody can log in here: the operator sets an identity provider by `console.oidc.issuer`."
            )
        }
        return login
    }
}

/// The query parameters of a provider's redirect, of which unknown ones are ignored (RFC 6749 §4.1.2).
private struct LenientQuery {
    private let pairs: [(name: String, value: String)]

    init(_ query: Substring) {
        pairs = query.utf8.split(separator: UInt8(ascii: "&"))
            .compactMap { pair in
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, let name = FormURLDecoding.decode(parts[0]).flatMap(FormURLDecoding.text),
                    let value = FormURLDecoding.decode(parts[1]).flatMap(FormURLDecoding.text)
                else { return nil }
                return (name, value)
            }
    }

    /// Returns the value of a parameter, or `nil` if it is absent or given twice.
    subscript(name: String) -> String? {
        let found = pairs.filter { $0.name.bytewise == name.bytewise }
        return found.count == 1 ? found[0].value : nil
    }
}

/// A browser's session for the console's page: the person, and a token for the API.
struct ConsoleSessionBody: WireBody {
    /// Whether persons can log in.
    let canLogIn: Bool

    /// The logged-in person, or `nil` for none.
    var person: ConsoleUser?

    /// The token of the person, and its lifetime in seconds.
    var token = ""
    var seconds = 0

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("canLogIn", canLogIn)
            guard let person else { return }
            writer.member("name", person.name)
            writer.member("roles", array: person.roles) { writer, role in writer.string(role.rawValue) }
            writer.member("token", token)
            writer.member("expiresIn", seconds)
        }
    }
}

/// The origin at which a browser shows the console.
///
/// The scheme is the browser's, regardless of proxies in between.
struct ConsoleOrigin {
    /// The scheme and the host, with its port if it has one, in lower case.
    let text: String

    /// Whether the browser uses TLS.
    let isSecure: Bool

    /// Checks that a request comes from a page of the same origin.
    ///
    /// Browsers send the origin, and pages cannot change it (Fetch Standard §3.2).
    ///
    /// - Throws: `Problem` with the code `invalid-request` for a page of another origin, and for a program without one.
    init(ofPageIn head: RequestHead) throws(Problem) {
        let given = head.fields.origin?.lowercased()
        for isSecure in [true, false] {
            let own = ConsoleOrigin(of: head, isSecure: isSecure)
            if let given, given.bytewise == own.text.bytewise {
                self = own
                return
            }
        }
        throw .invalidValue(
            field: "Origin",
            detail:
                "Only the console's own page may send this; its `Origin` names the `Host` that the request is for. A proxy "
                + "must pass the `Host` of the browser on."
        )
    }

    /// Creates the origin of a page at the host of a request.
    init(of head: RequestHead, isSecure: Bool) {
        // Browsers omit the default port in `Origin`, while proxies include it in `Host`.
        let scheme = isSecure ? "https" : "http"
        text = "\(scheme)://" + Origin.host(head.fields.host.first ?? "", ofScheme: scheme)
        self.isSecure = isSecure
    }

    /// Checks that the browser's connection is private: TLS, or within this machine.
    ///
    /// - Throws: `Problem` with the code `invalid-request`.
    func checkPrivacy(of head: RequestHead) throws(Problem) {
        guard !isSecure, HostName(authority: head.fields.host.first ?? "")?.isLoopback != true else { return }
        throw .invalidValue(
            field: "Origin",
            detail: "People log in over https, or on the machine itself by `localhost`."
        )
    }
}
