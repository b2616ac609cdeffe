import DeepLinkAuthentication
import DeepLinkCore
package import DeepLinkStorage
import HTTPTypes
package import NIOCore

/// An observer of responses for metrics and logs, called exactly once for each.
///
/// Calls come from event loops, so they must be short and never wait.
package protocol ResponseObserver: Sendable {
    /// Records that a response was written.
    func answered(_ answer: ObservedResponse)
}

/// A response as observers see it.
///
/// Nothing in it identifies the link, the user or the token, and only a refusal has an address.
package struct ObservedResponse: Sendable {
    /// The method of the request, or an empty text for bytes that aren't a request.
    package let method: String

    /// The name of the endpoint, such as `GET /v1/users/{id}`, or `web link`, `other method`, `not found`, and
    /// `refused` for bytes that aren't a request.
    package let endpoint: String

    /// The path of the endpoint with the names in it, such as `/v1/users/{id}`, or otherwise the same as ``endpoint``.
    package let template: String

    /// The HTTP status.
    package let status: Int

    /// The time from the head of the request to the end of the response.
    package let duration: TimeAmount

    /// The caller, or `nil` if the request was refused before the caller was known.
    package let caller: ObservedCaller?

    /// The version of the catalog for the response.
    package let catalogVersion: String

    /// The id of the request, or an empty text if there is none.
    package let requestID: String

    /// The field `traceparent` of the request, if it is valid.
    package let traceParent: String?

    /// The address of a refused caller, or `nil` for any other response.
    ///
    /// A caller is refused if credentials are missing, invalid or insufficient, or requests too many.
    package let refusedAddress: String?
}

/// A caller, as far as observers may identify it.
package enum ObservedCaller: Sendable {
    /// A caller without valid credentials.
    case anonymous

    /// The holder of a service token.
    case service(ServiceTokenID)

    /// A person logged in to the console, by name and identifier.
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

    /// The caller in a log: a token's id, useless for access, `person` with the name, `end-user` or `anonymous`.
    package var text: String {
        switch self {
        case .anonymous: "anonymous"
        case .service(let id): id.text
        case .person(let label): "person \(label)"
        case .endUser: "end-user"
        }
    }
}

/// The result of an admission for observers: the caller, and the version of the catalog for the response.
struct AdmissionResult: Sendable {
    let caller: ObservedCaller
    let catalogVersion: String

    /// Records a caller, whether or not the request is then admitted.
    init(of caller: Caller, by catalog: RouteCatalog) {
        self.caller = ObservedCaller(caller)
        catalogVersion = catalog.version
    }
}
