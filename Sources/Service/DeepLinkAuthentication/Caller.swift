package import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage

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
