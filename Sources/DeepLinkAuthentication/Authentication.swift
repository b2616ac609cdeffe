package import DeepLinkCore
package import DeepLinkFormats

/// What tells callers apart by their `Authorization` (RFC 6750 §2.1).
package struct Authentication: Sendable {
    /// The tokens of services.
    package let serviceTokens: ServiceTokens

    /// How the tokens of end users are verified; `nil` where end users have none.
    package let endUsers: EndUserVerifier?

    /// Puts the kinds of credentials together.
    package init(serviceTokens: ServiceTokens, endUsers: EndUserVerifier? = nil) {
        self.serviceTokens = serviceTokens
        self.endUsers = endUsers
    }

    /// Whether anybody has credentials; otherwise every caller may do everything.
    package var isConfigured: Bool { endUsers != nil || serviceTokens.areConfigured }

    /// Finds out who sends a request.
    ///
    /// - Throws: `Problem` of code `authentication-required`, without credentials or with ones that are not valid;
    ///   `invalid-request` where the field stands twice; `overloaded` where the keys of end users are not to be had.
    package func caller(_ fields: FieldValues, at time: Timestamp) async throws(Problem) -> Caller {
        switch try credentials(fields, at: time) {
        case .notNeeded: .anyone
        case .service(let token): .service(token.id, token.role)
        case .endUser(let token): .endUser(try await endUser(token, at: time))
        }
    }

    /// Finds out what credentials a request has, and checks them as far as that takes no waiting: those of services.
    ///
    /// - Throws: `Problem` of code `authentication-required`, without credentials or with ones that are not valid;
    ///   `invalid-request` where the field stands twice.
    package func credentials(_ fields: FieldValues, at time: Timestamp) throws(Problem) -> Credentials {
        guard isConfigured else { return .notNeeded }
        guard let credentials = try Self.bearer(fields) else {
            throw .authenticationRequired("Send `Authorization: Bearer` with a token of this service.")
        }
        guard credentials.utf8.starts(with: ServiceTokenText.prefix.utf8) else {
            return .endUser(credentials)
        }
        guard let text = ServiceTokenText(credentials) else {
            throw .invalidCredentials("The token is mistyped or cut off: its checksum is wrong.")
        }
        guard let token = serviceTokens.token(text, at: time) else {
            throw .invalidCredentials("The token is unknown, revoked or expired.")
        }
        return .service(token)
    }

    /// Verifies the token of an end user, which may take waiting for keys.
    ///
    /// - Throws: `Problem` of code `authentication-required`, or `overloaded` where the keys are not to be had.
    package func endUser(_ token: String, at time: Timestamp) async throws(Problem) -> UserID {
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

    /// The credentials of the scheme `Bearer`, whose name has no case (RFC 9110 §11.1); `nil` without any.
    private static func bearer(_ fields: FieldValues) throws(Problem) -> String? {
        guard fields.count <= 1 else {
            throw .invalidRequest(field: "Authorization", .duplicate, "The header `Authorization` is given twice.")
        }
        guard let value = fields.first else { return nil }
        let bytes = Substring(value).utf8
        guard let end = bytes.firstIndex(of: UInt8(ascii: " ")), bytes[..<end].isWord("bearer") else { return nil }
        let token = bytes[end...].drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? nil : String(Substring(token))
    }
}
