import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes

/// The one door: it decides which requests are let in, in one order (<doc:0011-OneDoor>).
///
/// Sizes and framing come first, where only bytes are known (``RequestHeadRules``). Then `Accept`, host, caller, access
/// and query are checked here, from the head alone; the body is awaited, the load is counted, and the body is read, by
/// whoever answers.
struct RequestAdmission {
    /// What an admitted request is answered with.
    struct Admitted {
        /// Who asks.
        let caller: Caller

        /// The catalog that the whole answer comes from.
        let catalog: RouteCatalog

        /// The API's own query; empty where the request is none of an endpoint.
        let query: FormQuery
    }

    /// The verdict on a request.
    enum Verdict {
        case admitted(Admitted)

        /// The request is let in, if the end user's token turns out to be valid, which takes waiting.
        case mustVerify(token: String)
    }

    private let environment: ServiceEnvironment

    init(_ environment: ServiceEnvironment) {
        self.environment = environment
    }

    /// Decides about a request without waiting for anything.
    ///
    /// - Throws: ``Problem``, for the first check that fails.
    func verdict(on head: RequestHead) throws(Problem) -> Verdict {
        try checkAccept(head)
        let catalog = environment.catalog.current
        guard try checkHost(head, catalog) else { return .admitted(try admitted(head, .anyone, catalog)) }
        switch try environment.authentication.credentials(head.fields.authorization, at: environment.now()) {
        case .notNeeded: return .admitted(try admitted(head, .anyone, catalog))
        case .service(let token): return .admitted(try admitted(head, .service(token.id, token.role), catalog))
        case .endUser(let token):
            guard let user = environment.authentication.endUsers?.cachedUser(of: token, at: environment.now()) else {
                return .mustVerify(token: token)
            }
            return .admitted(try admitted(head, .endUser(user), catalog))
        }
    }

    /// Decides about a request, and waits for the verification of a token.
    ///
    /// - Throws: ``Problem``, for the first check that fails.
    func admit(_ head: RequestHead) async throws(Problem) -> Admitted {
        switch try verdict(on: head) {
        case .admitted(let admitted): return admitted
        case .mustVerify(let token):
            let user = try await environment.authentication.endUser(token, at: environment.now())
            return try admitted(head, .endUser(user), environment.catalog.current)
        }
    }

    // MARK: In order

    private func checkAccept(_ head: RequestHead) throws(Problem) {
        let type: MediaType = if case .endpoint(let endpoint, _) = head.destination { endpoint.produces } else { .json }
        guard AcceptHeader.allows(type, head.fields.accept) else {
            throw Problem(.notAcceptable, "Answers are \(type.rawValue); let `Accept` allow it.")
        }
    }

    /// Checks the host by the rule of the destination.
    ///
    /// - Returns: whether a caller is needed.
    private func checkHost(_ head: RequestHead, _ catalog: RouteCatalog) throws(Problem) -> Bool {
        let authority = head.fields.host.first ?? ""
        switch head.destination {
        case .endpoint(let endpoint, _) where endpoint.access == .everyone: return false
        case .endpoint, .otherMethod, .reserved: try HostPolicy(environment, catalog).check(authority)
        case .webLink: try HostPolicy(environment, catalog).checkLinkHost(authority)
        }
        return true
    }

    private func admitted(_ head: RequestHead, _ caller: Caller, _ catalog: RouteCatalog) throws(Problem) -> Admitted {
        guard case .endpoint(let endpoint, _) = head.destination else {
            return Admitted(caller: caller, catalog: catalog, query: .empty)
        }
        if endpoint.access != .everyone { try endpoint.access.check(caller) }
        return Admitted(caller: caller, catalog: catalog, query: try FormQuery(head.query, names: endpoint.query))
    }
}
