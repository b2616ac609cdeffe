import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import Hummingbird

/// Is one request to an endpoint, checked and read, with what it is answered from.
struct Call: Sendable {
    let environment: ServiceEnvironment

    /// The request; of an endpoint that takes lines, its body is still to be read.
    let request: Request

    /// Who asks.
    let caller: Caller

    /// The catalog that the whole answer comes from.
    let catalog: RouteCatalog

    /// The API's own query.
    let query: FormQuery

    /// The body, where the endpoint takes an object.
    let body: JSONObjectBody

    /// What stood for the names in the endpoint's path.
    let parameters: Parameters

    /// Requires the caller to be still known: a stream may outlast a token, and the time when the server was open.
    ///
    /// - Throws: ``Problem`` of code `authentication-required`.
    func checkCaller() async throws(Problem) {
        _ = try await environment.authentication.caller(request.headers, at: environment.now())
    }

    /// Finds out whose level counts: the user that a field of the request names, or its header, or the caller.
    ///
    /// - Throws: ``Problem`` where two of them differ, or an id is none.
    func user(named name: String?) throws(Problem) -> UserID? {
        try UserNaming.user(name, request.headers, caller)
    }
}
