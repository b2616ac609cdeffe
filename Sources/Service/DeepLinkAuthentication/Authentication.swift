package import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage

/// The authentication of callers by their `Authorization` (RFC 6750 §2.1).
package struct Authentication: Sendable {
    /// The service tokens, recognized by their ids and secrets.
    package let serviceTokens: ServiceTokens

    /// The verifier of end users' tokens, or `nil` if tokens of end users are not configured.
    package let endUsers: EndUserVerifier?

    /// The sessions of persons logged in to the console, or `nil` if console login is not configured.
    package let consoleSessions: ConsoleSessions?

    /// Whether callers without credentials may resolve links, as anonymous users.
    package let letsAnonymousResolve: Bool

    /// Creates an authentication from its kinds of credentials.
    package init(
        serviceTokens: ServiceTokens,
        endUsers: EndUserVerifier? = nil,
        consoleSessions: ConsoleSessions? = nil,
        letsAnonymousResolve: Bool = false
    ) {
        self.serviceTokens = serviceTokens
        self.endUsers = endUsers
        self.consoleSessions = consoleSessions
        self.letsAnonymousResolve = letsAnonymousResolve
    }

    /// Whether any credentials exist.
    package var isConfigured: Bool { endUsers != nil || consoleSessions != nil || serviceTokens.areConfigured }

    /// Whether every caller may do everything, because the server has neither credentials nor anonymous callers with
    /// permissions of their own.
    package var isOpen: Bool { !letsAnonymousResolve && !isConfigured }

    /// Authenticates the sender of a request.
    ///
    /// - Throws: `Problem` with the code `authentication-required` if credentials are missing or invalid,
    ///   `invalid-request` if the header is given twice, or `overloaded` if the keys of end users are unavailable.
    package func caller(_ field: AuthorizationField, at time: Timestamp) async throws(Problem) -> Caller {
        switch try credentials(field, at: time) {
        case .notNeeded: .anyone
        case .absent: .anonymous
        case .service(let token): Caller(token)
        case .person(let person): .person(person)
        case .endUser(let token): .endUser(try await endUser(token, at: time))
        }
    }

    /// Reads the credentials of a request, and checks service tokens and console sessions, without suspending.
    ///
    /// - Throws: `Problem` with the code `authentication-required` if credentials are missing or invalid, or
    ///   `invalid-request` if the header is given twice.
    package func credentials(_ field: AuthorizationField, at time: Timestamp) throws(Problem) -> Credentials {
        guard !isOpen else { return .notNeeded }
        if letsAnonymousResolve, field.count == 0 { return .absent }
        guard let credentials = try Self.bearer(field) else {
            throw .authenticationRequired("Send `Authorization: Bearer` with a token of this service.")
        }
        guard credentials.utf8.starts(with: ServiceTokenText.prefix.utf8) else {
            guard credentials.utf8.starts(with: ConsoleSessions.prefix.utf8) else { return .endUser(credentials) }
            guard let person = consoleSessions?.person(ofToken: credentials, at: time) else {
                throw .invalidCredentials("The session is over; log in to the console again.")
            }
            return .person(person)
        }
        guard let text = ServiceTokenText(credentials) else {
            throw .invalidCredentials("The token is mistyped or cut off: its checksum is wrong.")
        }
        guard let token = serviceTokens.token(text, at: time) else {
            throw .invalidCredentials("The token is unknown, revoked or expired.")
        }
        return .service(token)
    }

    /// Verifies the token of an end user, after waiting for keys if necessary.
    ///
    /// - Throws: `Problem` with the code `authentication-required`, or `overloaded` if the keys are unavailable.
    package func endUser(_ token: String, at time: Timestamp) async throws(Problem) -> EndUser {
        guard let endUsers else { throw .invalidCredentials("The token is none of this service.") }
        if let user = endUsers.cachedUser(of: token, at: time) { return user }
        do throws(EndUserTokenError) {
            return try await endUsers.user(of: token, at: time)
        } catch .keysUnavailable {
            throw .keysUnavailable
        } catch {
            throw .invalidCredentials(error.description)
        }
    }

    /// Returns the credentials of the scheme `Bearer`, or `nil` without any.
    ///
    /// The scheme is case-insensitive (RFC 9110 §11.1).
    private static func bearer(_ field: AuthorizationField) throws(Problem) -> String? {
        guard field.count <= 1 else {
            throw .duplicate(field: "Authorization", detail: "The header `Authorization` is given twice.")
        }
        guard let value = field.value else { return nil }
        let bytes = Substring(value).utf8
        guard let end = bytes.firstIndex(of: UInt8(ascii: " ")), bytes[..<end].isWord("bearer") else { return nil }
        let token = bytes[end...].drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? nil : String(Substring(token))
    }
}

/// The header field `Authorization` of a request.
package struct AuthorizationField: Sendable {
    /// The first value, or `nil` if the request does not have the field.
    let value: String?

    /// The number of times that the request has the field.
    let count: Int

    /// Creates the field of a request from its values.
    package init(_ value: String?, count: Int) {
        self.value = value
        self.count = count
    }
}

/// The credentials that a request carries.
package enum Credentials {
    /// None are needed: the server is open.
    case notNeeded

    /// No credentials, on a server that lets anonymous callers resolve links.
    case absent

    /// A service token that is valid.
    case service(ServiceToken)

    /// The session token of a person logged in to the console.
    case person(ConsoleUser)

    /// The token of an end user, not verified yet.
    case endUser(String)
}
