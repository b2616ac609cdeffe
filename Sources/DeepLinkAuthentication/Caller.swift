package import DeepLinkCore

/// Whoever sends a request, as far as the service knows.
package enum Caller: Sendable {
    /// Somebody on a server that does not tell callers apart: they may do everything.
    case anyone

    /// The holder of a service token.
    case service(ServiceTokenID, Role)

    /// An end user, who resolves links as that user only.
    case endUser(UserID)

    /// How the history names the author of a change.
    package var name: String {
        switch self {
        case .anyone: "anyone"
        case .service(let id, _): "token \(id.text)"
        case .endUser(let id): "user \(id.text)"
        }
    }
}
