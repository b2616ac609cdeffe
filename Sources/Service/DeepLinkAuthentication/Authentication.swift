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

/// The authenticated sender of a request.
package enum Caller: Sendable {
    /// A caller with all permissions, on a server without authentication.
    case anyone

    /// The holder of a service token.
    case service(ServiceTokenID, Role)

    /// The holder of a service token of the role granter, for writing some grants and nothing else.
    case granter(ServiceTokenID, [GrantName])

    /// A person logged in to the console.
    case person(ConsoleUser)

    /// An end user. Links are resolved for that user only.
    case endUser(EndUser)

    /// A caller without credentials, on a server that lets such callers resolve as anonymous users.
    case anonymous

    /// Creates the caller for a service token, by its role.
    package init(_ token: ServiceToken) {
        self = token.role == .granter ? .granter(token.id, token.grants) : .service(token.id, token.role)
    }

    /// The end user that the token authenticates, or `nil` for any other caller.
    package var endUserID: UserID? {
        if case .endUser(let user) = self { user.id } else { nil }
    }

    /// The name of the caller as author of a change in the history.
    package var name: String {
        switch self {
        case .anyone: "anyone"
        case .service(let id, _), .granter(let id, _): "token \(id.text)"
        case .person(let person): "person \(person.label)"
        case .endUser(let user): "user \(user.id.text)"
        case .anonymous: "anonymous"
        }
    }
}

extension RandomText {
    /// Returns random characters of a non-empty alphabet, from the system's source of randomness.
    static func draw(_ count: Int, of alphabet: [UInt8]) -> String {
        var generator = SystemRandomNumberGenerator()
        return draw(count, of: alphabet, using: &generator)
    }
}

extension ServiceTokenID {
    /// Creates a random id, from the system's source of randomness.
    package init() {
        self.init(drawing: RandomText.draw)
    }
}

extension ContinuationID {
    /// Creates a random id, from the system's source of randomness.
    package init() {
        self.init(drawing: RandomText.draw)
    }
}

/// The access rule of an endpoint: the callers that may use it.
package enum Access: CaseIterable, Sendable {
    /// Everyone, even without credentials. The response is the same for all callers.
    case everyone

    /// Callers that may resolve links. If the server allows anonymous users, this includes callers without credentials.
    case resolvingLinks

    /// Callers that may resolve links and name a user: services with the role resolver or admin, and end users for
    /// themselves.
    case resolving

    /// Services that resolve or do everything.
    case services

    /// Services with the role monitor, and admins.
    case monitoring

    /// Services with the role monitor or publisher, and admins.
    case readingCounts

    /// Services that create and read short links: publishers and admins.
    case publishing

    /// Publishers, admins, and end users as themselves.
    case makingShortLinks

    /// Admins alone.
    case administration

    /// Services that write grants, and admins.
    case granting

    /// Admins alone. Other roles may count a list of users that they send.
    case countingUsers

    /// Checks that this rule admits a caller.
    ///
    /// - Throws: `Problem` with the code `insufficient-scope` and the least role that suffices, or
    ///   `authentication-required` without credentials.
    package func check(_ caller: Caller) throws(Problem) {
        switch (self, caller) {
        case (.everyone, _), (_, .anyone), (_, .service(_, .admin)): return
        case (_, .person(let person)): try check(person)
        case (.monitoring, .service(_, .monitor)): return
        case (.readingCounts, .service(_, .monitor)), (.readingCounts, .service(_, .publisher)): return
        case (.monitoring, .anonymous), (.readingCounts, .anonymous): throw .credentialsNeeded
        case (.monitoring, _):
            throw .insufficientScope(.monitor, reason: "Metrics and the report are for the roles monitor and admin.")
        case (.readingCounts, _):
            throw .insufficientScope(.monitor, reason: "Counts are for the roles monitor, publisher and admin.")
        case (_, .service(_, .monitor)):
            throw .insufficientScope(
                .resolver,
                reason: "The role monitor reads metrics, the report and counts, no more."
            )
        case (.publishing, .service(_, .publisher)), (.makingShortLinks, .service(_, .publisher)): return
        case (.makingShortLinks, .endUser): return
        case (.granting, .granter): return
        case (_, .granter):
            throw .insufficientScope(.resolver, reason: "The role granter writes the grants of its token, no more.")
        case (.resolvingLinks, _): return
        case (_, .anonymous): throw .credentialsNeeded
        case (.resolving, _), (.services, .service): return
        case (.services, .endUser):
            throw .insufficientScope(.resolver, reason: "A user's own token resolves links, no more.")
        case (.countingUsers, _):
            throw .insufficientScope(
                .admin,
                reason:
                    "Only the role admin counts all users. With the role resolver send those whom you mean, a line each, to "
                    + "`POST /v1/audience`."
            )
        case (.publishing, _), (.makingShortLinks, _):
            throw .insufficientScope(.publisher, reason: "Short links are for the roles publisher and admin.")
        case (.granting, _):
            throw .insufficientScope(.granter, reason: "Only the roles granter and admin write grants.")
        case (.administration, _):
            throw .insufficientScope(.admin, reason: "Only the role admin reads and writes users.")
        }
    }

    /// Checks that this rule admits at least one of a person's roles.
    private func check(_ person: ConsoleUser) throws(Problem) {
        var refusal = Problem.credentialsNeeded
        for role in person.roles {
            do throws(Problem) {
                // The role alone decides; the token's id does not matter.
                return try check(.service(ServiceTokenID { count, _ in String(repeating: "0", count: count) }, role))
            } catch {
                refusal = error
            }
        }
        throw refusal
    }
}
