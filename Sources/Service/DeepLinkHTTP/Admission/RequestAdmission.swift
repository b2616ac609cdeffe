import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes
import NIOCore

/// The admission of all requests, in one place and one order (decision record 13).
///
/// Sizes and framing come first, where only bytes are known (`RequestHeadRules`). `Accept`, host, caller, access and
/// query are then checked here, from the head alone. The responder awaits the body, counts the load, and reads the
/// body.
struct RequestAdmission {
    /// The decision about a request.
    enum Verdict {
        case admitted(AdmittedRequest)

        /// The request is admitted if the end user's token is valid. Verifying it is asynchronous.
        case mustVerify(token: String)
    }

    private let policy: AdmissionPolicy

    /// Whether there are observers, for which callers are recorded.
    private let notesCallers: Bool

    private var memory = AdmissionCache()

    /// The peer of the connection, if it is needed.
    var peer: SocketAddress?

    /// The note of the last request for observers, or `nil` if no caller was found or there are no observers.
    private(set) var note: AdmissionResult?

    init(by policy: AdmissionPolicy, notesCallers: Bool) {
        self.policy = policy
        self.notesCallers = notesCallers
    }

    /// Decides about a request without suspending.
    ///
    /// - Throws: `Problem`, for the first check that fails.
    mutating func verdict(on head: RequestHead, to endpoint: Endpoint) throws(Problem) -> Verdict {
        memory.update(for: policy)
        if note != nil { note = nil }
        let catalog = policy.catalog.current
        if case .links = endpoint.hosts, head.isRead, let page = try page(for: head, from: catalog) {
            return .admitted(page)
        }
        try checkAccept(of: head, to: endpoint)
        guard try checkHost(of: head, to: endpoint, by: catalog) else {
            return .admitted(try admitted(head, to: endpoint, of: .anyone, from: catalog))
        }
        if policy.crossOrigins?.isPreflight(head) == true {
            return .admitted(AdmittedRequest(caller: .anonymous, catalog: catalog, query: .empty, linkHost: nil))
        }
        let now = policy.now()
        if let caller = memory.caller(head.fields.authorization, at: now) {
            return .admitted(try admitted(head, to: endpoint, of: caller, from: catalog))
        }
        let authentication = policy.hosts.authentication
        switch try credentials(head, at: now) {
        case .notNeeded:
            // A client behind a proxy isn't on this machine.
            guard !head.fields.isForwarded || policy.hosts.isInsecure else { throw .throughProxy }
            return .admitted(try admitted(head, to: endpoint, of: .anyone, from: catalog))
        case .absent: return .admitted(try admitted(head, to: endpoint, of: .anonymous, from: catalog))
        case .service(let token):
            return .admitted(
                try admitted(
                    head,
                    to: endpoint,
                    of: memory.remember(token, of: head.fields.authorization),
                    from: catalog
                )
            )
        case .person(let person): return .admitted(try admitted(head, to: endpoint, of: .person(person), from: catalog))
        case .endUser(let token):
            guard let user = authentication.endUsers?.cachedUser(of: token, at: now) else {
                try policy.callerLimits?.checkRefusals(from: { address(of: head) }, at: now)
                return .mustVerify(token: token)
            }
            return .admitted(try admitted(head, to: endpoint, of: .endUser(user), from: catalog))
        }
    }

    /// Decides about a request, and waits for the verification of a token.
    ///
    /// - Throws: `Problem`, for the first check that fails.
    mutating func admit(_ head: RequestHead, to endpoint: Endpoint) async throws(Problem) -> AdmittedRequest {
        switch try verdict(on: head, to: endpoint) {
        case .admitted(let admitted): return admitted
        case .mustVerify(let token):
            let user: EndUser
            do throws(Problem) {
                user = try await policy.hosts.authentication.endUser(token, at: policy.now())
            } catch {
                throw refusal(of: head, for: error)
            }
            return try admitted(head, to: endpoint, of: .endUser(user), from: policy.catalog.current)
        }
    }

    // MARK: Credentials

    private func credentials(_ head: RequestHead, at time: Timestamp) throws(Problem) -> Credentials {
        do throws(Problem) {
            return try policy.hosts.authentication.credentials(AuthorizationField(head.fields.authorization), at: time)
        } catch {
            throw refusal(of: head, for: error)
        }
    }

    /// Returns the problem for refused credentials, after counting them against the address of the sender.
    private func refusal(of head: RequestHead, for problem: Problem) -> Problem {
        guard problem.code == .authenticationRequired, head.fields.authorization.count > 0 else { return problem }
        do throws(Problem) {
            try policy.callerLimits?.countRefusal(from: { address(of: head) }, at: policy.now())
            return problem
        } catch {
            return error
        }
    }

    // MARK: Pages

    /// Admits a visitor that requests the page of a web link.
    ///
    /// Pages are open to everyone.
    ///
    /// The result is `nil` if the client isn't such a visitor, or the catalog lacks web links.
    private mutating func page(for head: RequestHead, from catalog: RouteCatalog) throws(Problem) -> AdmittedRequest? {
        guard var visitor = knownVisitor(head) ?? stranger(head),
            let host = try linkHost(of: head.fields.host.first ?? "", by: catalog)
        else { return nil }
        if let limits = policy.callerLimits {
            visitor.isOverLimit = !limits.admitsPage(from: { address(of: head) }, at: policy.now())
        }
        return AdmittedRequest(caller: .anonymous, catalog: catalog, query: .empty, linkHost: host, visitor: visitor)
    }

    /// Returns the visitor recognized by the fields, or `nil` for a program.
    private mutating func knownVisitor(_ head: RequestHead) -> PageVisitor? {
        let headers = VisitorHeaders(head.fields)
        if let known = memory.visitor(headers) { return known }
        guard let visitor = PageVisitor(headers, bots: { policy.catalog.linkSite.previewBots }) else { return nil }
        memory.remember(visitor, by: headers)
        return visitor
    }

    /// Returns the host of an authority's web links for reads, or `nil` if the catalog has none.
    private mutating func linkHost(of authority: String, by catalog: RouteCatalog) throws(Problem) -> String? {
        if let host = memory.linkHost(authority) { return host }
        guard let host = try policy.hosts.policy(for: catalog).linkHost(for: authority, isRead: true) else {
            return nil
        }
        memory.remember(linkHost: host, of: authority)
        return host
    }

    /// Returns the visitor if the plan would require authentication, or `nil` for any other client.
    private func stranger(_ head: RequestHead) -> PageVisitor? {
        guard head.fields.authorization.count == 0 else { return nil }
        let authentication = policy.hosts.authentication
        let isRefused =
            authentication.isOpen
            ? head.fields.isForwarded && !policy.hosts.isInsecure : !authentication.letsAnonymousResolve
        return isRefused ? PageVisitor(stranger: VisitorHeaders(head.fields)) : nil
    }

    // MARK: In order

    private mutating func checkAccept(of head: RequestHead, to endpoint: Endpoint) throws(Problem) {
        guard !endpoint.ignoresAccept else { return }
        let type = head.takesLines ? .ndjson : endpoint.produces
        guard !memory.accepts(type, by: head.fields.accept) else { return }
        guard AcceptHeader.allows(type, by: head.fields.accept) else {
            throw Problem(.notAcceptable, detail: "Answers are \(type.essence); let `Accept` allow it.")
        }
        memory.rememberAccept(of: type, by: head.fields.accept)
    }

    /// Checks the host by the endpoint's rule.
    ///
    /// - Returns: whether a caller is needed.
    private mutating func checkHost(
        of head: RequestHead,
        to endpoint: Endpoint,
        by catalog: RouteCatalog
    ) throws(Problem) -> Bool {
        let authority = head.fields.host.first ?? ""
        switch endpoint.hosts {
        case .any: return false
        case .api:
            guard !memory.allows(host: authority) else { return true }
            try policy.hosts.policy(for: catalog).check(authority)
            memory.remember(host: authority)
        case .links:
            if head.isRead {
                _ = try linkHost(of: authority, by: catalog)
            } else if let host = try policy.hosts.policy(for: catalog).linkHost(for: authority, isRead: false) {
                memory.remember(linkHost: host, of: authority)
            }
        }
        return true
    }

    private func admitByRate(_ caller: Caller, sending head: RequestHead) throws(Problem) {
        guard let limits = policy.callerLimits else { return }
        try limits.admit(caller, from: { address(of: head) }, at: policy.now())
    }

    private func address(of head: RequestHead) -> CallerAddress? {
        CallerAddress.ofCaller(peer, forwardedFor: head.fields.forwardedFor)
    }

    private mutating func admitted(
        _ head: RequestHead,
        to endpoint: Endpoint,
        of caller: Caller,
        from catalog: RouteCatalog
    ) throws(Problem) -> AdmittedRequest {
        if notesCallers { note = AdmissionResult(of: caller, by: catalog) }
        if endpoint.access != .everyone {
            try admitByRate(caller, sending: head)
            try endpoint.access.check(caller)
        } else if endpoint.isLimited {
            try admitByRate(.anonymous, sending: head)
        }
        if let names = endpoint.query {
            let query = try FormQuery(head.target, from: head.queryStart, names: names)
            return AdmittedRequest(caller: caller, catalog: catalog, query: query, linkHost: nil)
        }
        let linkHost: String? =
            if case .links = endpoint.hosts { memory.linkHost(head.fields.host.first ?? "") } else { nil }
        return AdmittedRequest(caller: caller, catalog: catalog, query: .empty, linkHost: linkHost)
    }
}

/// Cached results of checks on the header fields of a connection's requests, since these mostly repeat themselves.
///
/// A result is valid for a field of the same bytes, and only while the catalog and the copy of the service tokens are
/// unchanged. Refusals are not cached.
struct AdmissionCache {
    /// The generations of the catalog and of the copy of the service tokens.
    struct Basis: Equatable {
        private let catalog: Int
        private let tokens: Int

        /// Reads the current generations, before any check that is cached.
        init(_ policy: AdmissionPolicy) {
            catalog = policy.catalog.generation
            tokens = policy.hosts.authentication.serviceTokens.generation
        }
    }

    private var basis: Basis?
    private var accept: (text: String, type: MediaType)?
    private var host: String?
    private var linkHost: (text: String, host: String)?
    private var token: (text: String, caller: Caller, expires: Timestamp?)?

    /// A visitor of pages.
    ///
    /// It is a class, since few connections have one.
    private final class CachedVisitor: Sendable {
        let visitor: PageVisitor
        let headers: VisitorHeaders

        init(_ visitor: PageVisitor, by headers: VisitorHeaders) {
            self.visitor = visitor
            self.headers = headers
        }
    }

    private var visitor: CachedVisitor?

    /// Drops the cached results if the basis has changed.
    mutating func update(for policy: AdmissionPolicy) {
        let present = Basis(policy)
        guard present != basis else { return }
        self = AdmissionCache()
        basis = present
    }

    /// Returns whether `Accept` is cached as allowing a type.
    func accepts(_ type: MediaType, by fields: FieldValues) -> Bool {
        guard case .one(let text) = fields, let accept else { return false }
        return accept.type == type && Self.areSame(text, accept.text)
    }

    /// Caches that `Accept` allows a type.
    mutating func rememberAccept(of type: MediaType, by fields: FieldValues) {
        if case .one(let text) = fields { accept = (text, type) }
    }

    /// Returns whether a host is cached as allowed for the API.
    func allows(host text: String) -> Bool { host.map { Self.areSame(text, $0) } ?? false }

    /// Caches a host that is allowed for the API.
    mutating func remember(host text: String) { host = text }

    /// Returns the cached host of the web links under an authority.
    func linkHost(_ text: String) -> String? {
        linkHost.flatMap { Self.areSame(text, $0.text) ? $0.host : nil }
    }

    /// Caches the host of the web links under an authority.
    mutating func remember(linkHost host: String, of text: String) { linkHost = (text, host) }

    /// Returns the cached visitor with these fields.
    func visitor(_ headers: VisitorHeaders) -> PageVisitor? {
        visitor.flatMap { headers.areSame(as: $0.headers) ? $0.visitor : nil }
    }

    /// Caches a visitor by its fields.
    mutating func remember(_ visitor: PageVisitor, by headers: VisitorHeaders) {
        self.visitor = CachedVisitor(visitor, by: headers)
    }

    /// Returns the cached caller for the service token in `Authorization`, unless the token has expired.
    ///
    /// Revoking a token changes the generation of the tokens.
    func caller(_ fields: FieldValues, at time: Timestamp) -> Caller? {
        guard case .one(let text) = fields, token.map({ Self.areSame(text, $0.text) }) == true else { return nil }
        if let expires = token?.expires, time > expires { return nil }
        return token?.caller
    }

    /// Caches the valid service token in `Authorization`.
    mutating func remember(_ value: ServiceToken, of fields: FieldValues) -> Caller {
        let caller = Caller(value)
        if case .one(let text) = fields { token = (text, caller, value.expires) }
        return caller
    }

    private static func areSame(_ left: String, _ right: String) -> Bool { left.bytewise == right.bytewise }
}

/// The settings for the admission of requests.
///
/// It is a class, so that a connection counts one reference to it instead of one for each part.
package final class AdmissionPolicy: Sendable {
    /// The current catalog.
    let catalog: LiveCatalog

    /// The authentication of callers, and the hosts at which the server answers.
    let hosts: HostSettings

    /// The rate limits of callers, or `nil` for none.
    let callerLimits: CallerLimits?

    /// The rules for pages of other origins, or `nil` if none may read responses.
    let crossOrigins: CrossOriginRules?

    /// Returns the current time.
    let now: @Sendable () -> Timestamp

    /// Creates a policy from its parts.
    package init(
        catalog: LiveCatalog,
        hosts: HostSettings,
        callerLimits: CallerLimits? = nil,
        crossOrigins: CrossOriginRules? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.catalog = catalog
        self.hosts = hosts
        self.callerLimits = callerLimits
        self.crossOrigins = crossOrigins
        self.now = now
    }
}
