package import DeepLinkCore
package import DeepLinkStorage

/// The sender of a request, as far as the service knows it.
package enum Caller: Sendable {
    /// A caller on a server without authentication, who may do everything.
    case anyone

    /// The holder of a service token.
    case service(ServiceTokenID, Role)

    /// The holder of a service token that writes some grants, and nothing else.
    case granter(ServiceTokenID, [GrantName])

    /// A person who is logged in to the console.
    case person(Person)

    /// An end user, who resolves links as that user only.
    case endUser(EndUser)

    /// A caller without credentials, on a server that lets such callers resolve as anonymous users.
    case anonymous

    /// The holder of a service token, by its role.
    package init(_ token: ServiceToken) {
        self = token.role == .granter ? .granter(token.id, token.grants) : .service(token.id, token.role)
    }

    /// The end user whose token asks; `nil` for any other caller.
    package var endUserID: UserID? {
        if case .endUser(let user) = self { user.id } else { nil }
    }

    /// The name of the author of a change in the history.
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
    /// Draws characters of an alphabet that has some from the system's source of randomness.
    static func draw(_ count: Int, of alphabet: [UInt8]) -> String {
        var generator = SystemRandomNumberGenerator()
        return draw(count, of: alphabet, using: &generator)
    }
}

extension ServiceTokenID {
    /// Draws an id from the system's source of randomness.
    package init() {
        self.init(drawing: RandomText.draw)
    }
}

extension ContinuationID {
    /// Draws an id from the system's source of randomness.
    package init() {
        self.init(drawing: RandomText.draw)
    }
}
