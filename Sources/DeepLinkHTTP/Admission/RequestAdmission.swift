import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import HTTPTypes
import NIOCore

/// The one door: it decides which requests are let in, in one order (decision record 13).
///
/// Sizes and framing come first, where only bytes are known (``RequestHeadRules``). Then `Accept`, host, caller, access
/// and query are checked here, from the head alone; the body is awaited, the load is counted, and the body is read, by
/// whoever answers.
struct RequestAdmission {
    /// The verdict on a request.
    enum Verdict {
        case admitted(AdmittedRequest)

        /// The request is let in, if the end user's token turns out to be valid, which takes waiting.
        case mustVerify(token: String)
    }

    private let environment: ServiceEnvironment
    private var memory = AdmissionMemory()

    /// The other side of the connection, where that is asked for.
    var peer: SocketAddress?

    /// What observers are told of the last request, if it got as far as its caller; nothing is noted for nobody.
    private(set) var note: AdmissionNote?

    init(_ environment: ServiceEnvironment) {
        self.environment = environment
    }

    /// Decides about a request without waiting for anything.
    ///
    /// - Throws: `Problem`, for the first check that fails.
    mutating func verdict(on head: RequestHead) throws(Problem) -> Verdict {
        memory.update(environment)
        if note != nil { note = nil }
        let catalog = environment.catalog.current
        if case .webLink = head.destination, head.isRead, let page = try page(for: head, catalog) {
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
        switch try authentication.credentials(head.fields.authorization, at: now) {
        case .notNeeded:
            // Whoever is behind a proxy is none of this machine.
            guard !head.fields.isForwarded || environment.isInsecure else { throw .throughProxy }
            return .admitted(try admitted(head, .anyone, catalog))
        case .absent: return .admitted(try admitted(head, .anonymous, catalog))
        case .service(let token):
            return .admitted(try admitted(head, memory.remember(token, head.fields.authorization), catalog))
        case .endUser(let token):
            guard let user = authentication.endUsers?.cachedUser(of: token, at: now) else {
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
            let user = try await environment.authentication.endUser(token, at: environment.now())
            return try admitted(head, .endUser(user), environment.catalog.current)
        }
    }

    // MARK: Pages

    /// Lets a visitor in who wants the page of a web link, which is for everyone; `nil` where it is no such visitor, or the
    /// catalog has no web links.
    private mutating func page(for head: RequestHead, _ catalog: RouteCatalog) throws(Problem) -> AdmittedRequest? {
        guard let visitor = PageVisitor(head.fields),
            let host = try HostPolicy(environment, catalog).linkHost(for: head.fields.host.first ?? "", isRead: true)
        else { return nil }
        try admitByRate(.anonymous, head)
        return AdmittedRequest(caller: .anonymous, catalog: catalog, query: .empty, linkHost: host, visitor: visitor)
    }

    // MARK: In order

    private mutating func checkAccept(_ head: RequestHead) throws(Problem) {
        guard head.destination.endpoint?.ignoresAccept != true else { return }
        let type = head.destination.endpoint?.produces ?? .json
        guard !memory.accepts(type, head.fields.accept) else { return }
        guard AcceptHeader.allows(type, head.fields.accept) else {
            throw Problem(.notAcceptable, "Answers are \(type.essence); let `Accept` allow it.")
        }
        memory.rememberAccept(type, head.fields.accept)
    }

    /// Checks the host by the rule of the destination.
    ///
    /// - Returns: whether a caller is needed.
    private mutating func checkHost(_ head: RequestHead, _ catalog: RouteCatalog) throws(Problem) -> Bool {
        let authority = head.fields.host.first ?? ""
        switch head.destination {
        case .endpoint(let endpoint, _) where endpoint.access == .everyone: return false
        case .endpoint, .otherMethod, .reserved:
            guard !memory.allows(host: authority) else { return true }
            try HostPolicy(environment, catalog).check(authority)
            memory.remember(host: authority)
        case .webLink:
            guard !head.isRead || memory.linkHost(authority) == nil else { return true }
            let found = try HostPolicy(environment, catalog).linkHost(for: authority, isRead: head.isRead)
            guard let host = found else { return true }
            memory.remember(linkHost: host, of: authority)
        }
        return true
    }

    private func admitByRate(_ caller: Caller, _ head: RequestHead) throws(Problem) {
        guard let limits = environment.callerLimits else { return }
        let address = { CallerAddress.ofCaller(peer, forwardedFor: head.fields.forwardedFor) }
        try limits.admit(caller, from: address, at: environment.now())
    }

    private mutating func admitted(
        _ head: RequestHead,
        _ caller: Caller,
        _ catalog: RouteCatalog
    ) throws(Problem) -> AdmittedRequest {
        if environment.observer != nil { note = AdmissionNote(caller, catalog) }
        if head.destination.endpoint?.access != .everyone { try admitByRate(caller, head) }
        guard let endpoint = head.destination.endpoint else {
            let isLink = if case .webLink = head.destination { head.isRead } else { false }
            try (isLink ? Access.resolvingLinks : .resolving).check(caller)
            let linkHost = memory.linkHost(head.fields.host.first ?? "")
            return AdmittedRequest(caller: caller, catalog: catalog, query: .empty, linkHost: linkHost)
        }
        if endpoint.access != .everyone { try endpoint.access.check(caller) }
        let query = try FormQuery(head.query, names: endpoint.query)
        return AdmittedRequest(caller: caller, catalog: catalog, query: query, linkHost: nil)
    }
}
