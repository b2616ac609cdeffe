import DeepLinkAuthentication
import DeepLinkCore
package import DeepLinkStorage
import HTTPTypes
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

/// The facts about an admission that observers get: the caller, and the version of the catalog that answers.
struct AdmissionNote: Sendable {
    let caller: ObservedCaller
    let catalogVersion: String

    /// Notes a caller, whether or not the request is then let in.
    init(of caller: Caller, by catalog: RouteCatalog) {
        self.caller = ObservedCaller(caller)
        catalogVersion = catalog.version
    }
}

/// The header fields that every response has.
enum ResponseHeaders {
    /// A policy that keeps browsers from running or framing anything, even if an answer repeats parts of a link; pages
    /// have a policy of their own.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the fields to those of one response.
    static func complete(_ fields: inout HTTPFields) {
        // Browsers must not guess a type either.
        fields[.xContentTypeOptions] = "nosniff"
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = policy }
        // An answer that depends on a user must not be stored (RFC 9111 §5.2.2.5); one that may be stored has its own
        // field.
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }
}
