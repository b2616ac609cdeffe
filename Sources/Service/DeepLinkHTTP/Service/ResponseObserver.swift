import DeepLinkAuthentication
import DeepLinkCore
package import DeepLinkStorage
package import NIOCore

/// An observer of every answer, called exactly once: metrics and logs.
///
/// Calls come from event loops, so they must be short and never wait.
package protocol ResponseObserver: Sendable {
    /// Notes that an answer is written.
    func answered(_ answer: ObservedResponse)
}

/// An answer, as observers see it: nothing in it identifies the link, the user or the token, and only a refusal
/// has an address.
package struct ObservedResponse: Sendable {
    /// The method of the request; empty for bytes that aren't a request.
    package let method: String

    /// The name of the endpoint, such as `GET /v1/users/{id}`, or `web link`, `other method`, `not found`, and
    /// `refused` for bytes that aren't a request.
    package let endpoint: String

    /// The path of the endpoint with the names in it, such as `/v1/users/{id}`; otherwise as ``endpoint``.
    package let template: String

    /// The HTTP status.
    package let status: Int

    /// The time from the head of the request to the end of the answer.
    package let duration: TimeAmount

    /// The caller; `nil` if the request was refused before the caller was known.
    package let caller: ObservedCaller?

    /// The version of the catalog that the answer comes from.
    package let catalogVersion: String

    /// The id of the request; empty if there is none.
    package let requestID: String

    /// The field `traceparent` of the request, if it is valid.
    package let traceParent: String?

    /// The address of a refused caller; `nil` for any other answer.
    ///
    /// The credentials are missing, invalid or too weak, or the requests too many.
    package let refusedAddress: String?
}

/// A caller, as far as observers may know.
package enum ObservedCaller: Sendable {
    /// A caller without valid credentials.
    case anonymous

    /// The holder of a service token.
    case service(ServiceTokenID)

    /// A person who is logged in to the console, by name and identifier.
    case person(String)

    /// Any end user.
    case endUser

    /// Creates the observable part of a caller.
    init(_ caller: Caller) {
        switch caller {
        case .anyone, .anonymous: self = .anonymous
        case .service(let id, _), .granter(let id, _): self = .service(id)
        case .person(let person): self = .person(person.label)
        case .endUser: self = .endUser
        }
    }

    /// The caller in a log: a token's id, which gives no access, `person` with the name, `end-user` or `anonymous`.
    package var text: String {
        switch self {
        case .anonymous: "anonymous"
        case .service(let id): id.text
        case .person(let label): "person \(label)"
        case .endUser: "end-user"
        }
    }
}
