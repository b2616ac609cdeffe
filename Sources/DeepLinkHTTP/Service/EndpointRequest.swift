import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HummingbirdCore

/// One request to an endpoint, admitted and read, with what it is answered from.
struct EndpointRequest: Sendable {
    let environment: ServiceEnvironment

    /// The head of the request.
    let head: RequestHead

    /// Who asks.
    let caller: Caller

    /// The catalog that the whole answer comes from.
    let catalog: RouteCatalog

    /// The host of the web link that the target is; `nil` where it is none.
    let linkHost: String?

    /// The API's own query.
    let query: FormQuery

    /// The body, where the endpoint takes an object.
    let body: JSONObjectBody

    /// The bytes of the body, where the endpoint takes an object and answers later.
    var bytes: [UInt8] = []

    /// How many bytes the body had, where the endpoint takes an object.
    let byteCount: Int

    /// The body as it comes, where the endpoint takes lines.
    var lines: RequestBody?

    /// Puts together what was admitted.
    init(
        _ environment: ServiceEnvironment,
        _ head: RequestHead,
        _ admitted: AdmittedRequest,
        body: JSONObjectBody = .empty,
        byteCount: Int = 0,
        lines: RequestBody? = nil
    ) {
        self.environment = environment
        self.head = head
        caller = admitted.caller
        catalog = admitted.catalog
        linkHost = admitted.linkHost
        query = admitted.query
        self.body = body
        self.byteCount = byteCount
        self.lines = lines
    }

    /// What stands for the name in the endpoint's path.
    var parameter: Substring {
        if case .endpoint(_, let parameter?) = head.destination { parameter } else { "" }
    }

    /// Requires the caller to be still known: a stream may outlast a token, and the time when the server was open.
    ///
    /// - Throws: `Problem` of code `authentication-required`.
    func checkCaller() async throws(Problem) {
        _ = try await environment.authentication.caller(head.fields.authorization, at: environment.now())
    }

    /// Finds out whose level counts: the user that a field of the request names, or its header, or the caller.
    ///
    /// - Throws: `Problem` where two of them differ, or an id is none.
    func user(named name: String?) throws(Problem) -> UserID? {
        try RequestedUser.user(name, head.fields.user, caller)
    }
}
