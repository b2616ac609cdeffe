package import DeepLinkCore
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
    case person(Person)

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
