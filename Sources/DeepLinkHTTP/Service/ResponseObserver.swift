import DeepLinkAuthentication
package import DeepLinkCore
package import NIOCore

/// Whoever is told of every answer, exactly once: metrics and logs.
///
/// Calls come from event loops, so they must be short and wait for nothing.
package protocol ResponseObserver: Sendable {
    /// Notes that an answer is written.
    func answered(_ answer: ObservedResponse)
}

/// An answer, as observers see it: nothing in it says which link, which user or which token.
package struct ObservedResponse: Sendable {
    /// The method of the request; empty for bytes that are no request.
    package let method: String

    /// The name of what answered: an endpoint's, such as `GET /v1/users/{id}`, or `web link`, `other method`, `not found`,
    /// and `refused` for bytes that are no request.
    package let endpoint: String

    /// The path of the endpoint with the names in it, such as `/v1/users/{id}`; else as ``endpoint``.
    package let template: String

    /// The HTTP status.
    package let status: Int

    /// The time from the head of the request to the end of the answer.
    package let duration: TimeAmount

    /// Who asked; `nil` where the request was refused before that was known.
    package let caller: ObservedCaller?

    /// The version of the catalog that the answer comes from.
    package let catalogVersion: String

    /// The id of the request; empty where there is none.
    package let requestID: String
}

/// Whoever asked, as far as observers may know.
package enum ObservedCaller: Sendable {
    /// Somebody without credentials that count.
    case anonymous

    /// The holder of a service token.
    case service(ServiceTokenID)

    /// An end user, whoever it is.
    case endUser

    /// Leaves out of a caller what nobody needs to know.
    init(_ caller: Caller) {
        switch caller {
        case .anyone, .anonymous: self = .anonymous
        case .service(let id, _): self = .service(id)
        case .endUser: self = .endUser
        }
    }

    /// The caller in a log: a token's id, which gives no access, `end-user` or `anonymous`.
    package var text: String {
        switch self {
        case .anonymous: "anonymous"
        case .service(let id): id.text
        case .endUser: "end-user"
        }
    }
}
