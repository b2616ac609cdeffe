import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore

/// The admission of all requests, in one place and one order (decision record 13).
///
/// Sizes and framing come first, where only bytes are known (``RequestHeadRules``). Then `Accept`, host, caller, access
/// and query are checked here, from the head alone. The responder awaits the body, counts the load, and reads the body.
struct RequestAdmission {
    /// The decision about a request.
    enum Verdict {
        case admitted(AdmittedRequest)

        /// The request is admitted if the end user's token turns out to be valid; verifying it takes waiting.
        case mustVerify(token: String)
    }

    private let environment: ServiceEnvironment
    private var memory = AdmissionMemory()

    /// The peer of the connection, if it is needed.
    var peer: SocketAddress?

    /// The note of the last request for observers, if its caller was found; nothing is noted without observers.
    private(set) var note: AdmissionNote?

    init(_ environment: ServiceEnvironment) {
        self.environment = environment
    }

    /// Decides about a request without waiting.
    ///
    /// - Throws: `Problem`, for the first check that fails.
    mutating func verdict(on head: RequestHead) throws(Problem) -> Verdict {
        memory.update(environment)
        if note != nil { note = nil }
        let catalog = environment.catalog.current
        if case .links = head.destination.endpoint.hosts, head.isRead, let page = try page(for: head, catalog) {
            return .admitted(page)
        }
        try checkAccept(head)
        guard try checkHost(head, catalog) else { return .admitted(try admitted(head, .anyone, catalog)) }
        if environment.crossOrigins?.isPreflight(head) == true {
            return .admitted(AdmittedRequest(caller: .anonymous, catalog: catalog, query: .empty, linkHost: nil))
        }
        let now = environment.now()
        if let caller = memory.caller(head.fields.authorization, at: now) {
            return .admitted(try admitted(head, caller, catalog))
        }
        let authentication = environment.authentication
        switch try credentials(head, at: now) {
        case .notNeeded:
            // A client behind a proxy isn't on this machine.
            guard !head.fields.isForwarded || environment.isInsecure else { throw .throughProxy }
            return .admitted(try admitted(head, .anyone, catalog))
        case .absent: return .admitted(try admitted(head, .anonymous, catalog))
        case .service(let token):
            return .admitted(try admitted(head, memory.remember(token, head.fields.authorization), catalog))
        case .endUser(let token):
            guard let user = authentication.endUsers?.cachedUser(of: token, at: now) else {
                try environment.callerLimits?.checkRefusals(from: { address(of: head) }, at: now)
                return .mustVerify(token: token)
            }
            return .admitted(try admitted(head, .endUser(user), catalog))
        }
    }

    /// Decides about a request, and waits for the verification of a token.
    ///
    /// - Throws: `Problem`, for the first check that fails.
    mutating func admit(_ head: RequestHead) async throws(Problem) -> AdmittedRequest {
        switch try verdict(on: head) {
        case .admitted(let admitted): return admitted
        case .mustVerify(let token):
            let user: EndUser
            do throws(Problem) {
                user = try await environment.authentication.endUser(token, at: environment.now())
            } catch {
                throw refusal(of: head, error)
            }
            return try admitted(head, .endUser(user), environment.catalog.current)
        }
    }

    // MARK: Credentials

    private func credentials(_ head: RequestHead, at time: Timestamp) throws(Problem) -> Credentials {
        do throws(Problem) {
            return try environment.authentication.credentials(head.fields.authorization, at: time)
        } catch {
            throw refusal(of: head, error)
        }
    }

    /// Returns the problem for refused credentials, which count against the address that sends them.
    private func refusal(of head: RequestHead, _ problem: Problem) -> Problem {
        guard problem.code == .authenticationRequired, head.fields.authorization.count > 0 else { return problem }
        do throws(Problem) {
            try environment.callerLimits?.countRefusal(from: { address(of: head) }, at: environment.now())
            return problem
        } catch {
            return error
        }
    }

    // MARK: Pages

    /// Admits a visitor who asks for the page of a web link, which is open to everyone; `nil` if the request isn't such
    /// a visitor's, or if the catalog has no web links.
    private mutating func page(for head: RequestHead, _ catalog: RouteCatalog) throws(Problem) -> AdmittedRequest? {
        guard let visitor = PageVisitor(head.fields),
            let host = try HostPolicy(environment, catalog).linkHost(for: head.fields.host.first ?? "", isRead: true)
        else { return nil }
        try environment.callerLimits?.admitPage(from: { address(of: head) }, at: environment.now())
        return AdmittedRequest(caller: .anonymous, catalog: catalog, query: .empty, linkHost: host, visitor: visitor)
    }

    // MARK: In order

    private mutating func checkAccept(_ head: RequestHead) throws(Problem) {
        let endpoint = head.destination.endpoint
        guard !endpoint.ignoresAccept else { return }
        let type = endpoint.produces
        guard !memory.accepts(type, head.fields.accept) else { return }
        guard AcceptHeader.allows(type, head.fields.accept) else {
            throw Problem(.notAcceptable, detail: "Answers are \(type.essence); let `Accept` allow it.")
        }
        memory.rememberAccept(type, head.fields.accept)
    }

    /// Checks the host by the endpoint's rule.
    ///
    /// - Returns: whether a caller is needed.
    private mutating func checkHost(_ head: RequestHead, _ catalog: RouteCatalog) throws(Problem) -> Bool {
        let authority = head.fields.host.first ?? ""
        switch head.destination.endpoint.hosts {
        case .any: return false
        case .api:
            guard !memory.allows(host: authority) else { return true }
            try HostPolicy(environment, catalog).check(authority)
            memory.remember(host: authority)
        case .links:
            guard !head.isRead || memory.linkHost(authority) == nil else { return true }
            let found = try HostPolicy(environment, catalog).linkHost(for: authority, isRead: head.isRead)
            guard let host = found else { return true }
            memory.remember(linkHost: host, of: authority)
        }
        return true
    }

    private func admitByRate(_ caller: Caller, _ head: RequestHead) throws(Problem) {
        guard let limits = environment.callerLimits else { return }
        try limits.admit(caller, from: { address(of: head) }, at: environment.now())
    }

    private func address(of head: RequestHead) -> CallerAddress? {
        CallerAddress.ofCaller(peer, forwardedFor: head.fields.forwardedFor)
    }

    private mutating func admitted(
        _ head: RequestHead,
        _ caller: Caller,
        _ catalog: RouteCatalog
    ) throws(Problem) -> AdmittedRequest {
        if environment.observer != nil { note = AdmissionNote(caller, catalog) }
        let endpoint = head.destination.endpoint
        if endpoint.access != .everyone {
            try admitByRate(caller, head)
            try endpoint.access.check(caller)
        }
        if let names = endpoint.query {
            let query = try FormQuery(head.query, names: names)
            return AdmittedRequest(caller: caller, catalog: catalog, query: query, linkHost: nil)
        }
        let linkHost: String? =
            if case .links = endpoint.hosts { memory.linkHost(head.fields.host.first ?? "") } else { nil }
        return AdmittedRequest(caller: caller, catalog: catalog, query: .empty, linkHost: linkHost)
    }
}
