import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Is what was found out about a request's header fields: who sends them, and what answers them.
///
/// It holds for a catalog and for a copy of the service tokens, and for as long as the token may be used. It is a class
/// so that using it costs one reference count.
final class Admission {
    /// What answers.
    let answer: LinkAnswer

    /// Who asks.
    let caller: Caller

    /// The fields as endpoints see them; they may name a user.
    let fields: HTTPFields

    private let token: ServiceToken?
    private let catalogGeneration: Int
    private let tokensGeneration: Int

    /// Judges fields as the plain way does, in the same order; `nil` where it refuses them, or has to wait for something.
    init?(_ headers: HTTPHeaders, _ environment: ServiceEnvironment) {
        // Read before what they count: whatever is renewed meanwhile makes this a judgement that no longer holds.
        catalogGeneration = environment.catalog.generation
        tokensGeneration = environment.authentication.serviceTokens.generation
        let catalog = environment.catalog.current
        fields = HTTPFields(headers, splitCookie: false)
        guard AcceptHeader.allows(.json, fields[values: .accept]) else { return nil }
        do throws(Problem) {
            try HostPolicy(environment, catalog).check(headers["Host"].first ?? "")
            switch try environment.authentication.credentials(fields, at: environment.now()) {
            case .notNeeded: (caller, token) = (.anyone, nil)
            case .service(let found): (caller, token) = (.service(found.id, found.role), found)
            case .endUser: return nil
            }
            try ResolveEndpoint.access.check(caller)
        } catch {
            return nil
        }
        answer = LinkAnswer(environment, catalog)
    }

    /// Tells whether the catalog and the tokens are still those that were judged by.
    func isCurrent(in environment: ServiceEnvironment) -> Bool {
        catalogGeneration == environment.catalog.generation
            && tokensGeneration == environment.authentication.serviceTokens.generation
    }

    /// Tells whether the caller is let in at a moment.
    func isValid(at time: Timestamp) -> Bool { token?.isUsable(at: time) ?? true }
}
