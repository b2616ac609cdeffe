import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The creation and replacement of short links, for one body or for a line of a stream.
struct ShortLinkWriter {
    /// The length of a day in milliseconds, the period of an end user's quota of links.
    private static let day: Int64 = 86_400_000

    let resolver: LinkResolver
    let shortLinks: ShortLinkService

    /// Whether changes are audited.
    let isAudited: Bool

    /// Returns the existing link with a name, created with the same terms, or `nil` if the name is free.
    ///
    /// - Throws: `Problem` with the code `name-taken`, if it was created with other terms.
    func known(_ requested: RequestedShortLink, to caller: Caller) async throws(Problem) -> ShortLink? {
        guard let naming = requested.naming else { return nil }
        return try Self.known(requested, among: try await links(of: [naming]), to: caller)
    }

    /// Returns the existing link with a name among some, as ``known(_:to:)`` does.
    ///
    /// The user that a link is about is one of the terms, and visible to admins only. For publishers other than the
    /// author it is not compared, so that responses do not reveal whether a guessed user is right.
    static func known(
        _ requested: RequestedShortLink,
        among links: [ShortLinkName: ShortLink],
        to caller: Caller
    ) throws(Problem) -> ShortLink? {
        guard let naming = requested.naming, let link = links[naming.name] else { return nil }
        let knowsUser = caller.isAdmin || link.author.bytewise == caller.name.bytewise
        let user = knowsUser ? nil : link.contents.about
        let terms = user.flatMap { requested.naming(about: $0) } ?? naming
        guard link.naming == terms else { throw .nameTaken }
        return link
    }

    /// Reads existing links by their names.
    func links(of namings: [ShortLinkNaming]) async throws(Problem) -> [ShortLinkName: ShortLink] {
        guard !namings.isEmpty else { return [:] }
        return try await shortLinks.reading { try await $0.storedLinks(named: namings.map(\.name)) }
    }

    /// Returns the write for a request, once its destination is resolved.
    ///
    /// - Throws: `Problem` if the destination does not resolve, or does not allow the terms.
    func write(
        _ requested: RequestedShortLink,
        under precondition: UserStatePrecondition = .none,
        in call: EndpointRequest,
        storing: ResponseStoring<ShortLinkWriteResult>? = nil
    ) async throws(Problem) -> ShortLinkWrite {
        let time = shortLinks.now()
        let quota = try quota(of: call.caller, at: time)
        let link = try requested.destination.link(in: call.catalog)
        let resolved = try await ShortLinkDestination(
            link,
            for: try await permissions(for: link, in: call),
            by: resolver,
            in: call
        )
        return ShortLinkWrite(
            code: try resolved.code(requested.code),
            naming: requested.naming,
            contents: ShortLinkContents(
                host: requested.host,
                target: resolved.target,
                label: requested.label,
                expires: try resolved.end(requested.expires, at: time),
                about: requested.about,
                signature: resolved.signature,
                isWithdrawn: requested.withdrawal == .withdrawn
            ),
            withdrawal: requested.withdrawal,
            precondition: precondition,
            quota: quota,
            time: time,
            author: call.caller.name,
            isAudited: isAudited,
            storing: storing
        )
    }

    /// Returns the permissions with which the destination must resolve: an end user's own, and all for a service.
    private func permissions(for link: DeepLink, in call: EndpointRequest) async throws(Problem) -> Permissions {
        guard case .endUser(let user) = call.caller else { return .all }
        let asked = ResolveArguments(request: ResolutionRequest(link: link), user: user.id)
        return try await resolver.level(for: asked, in: call).get().permissions
    }

    private func quota(of caller: Caller, at time: Timestamp) throws(Problem) -> ShortLinkQuota? {
        guard case .endUser(let user) = caller else { return nil }
        guard shortLinks.maximumPerUser > 0 else {
            throw Problem(
                .tooManyRequests,
                detail:
                    "This service makes no short links for its users; its operator allows them by `shortLinks.perUser`.",
                headers: [.retryAfter: "3600"]
            )
        }
        return ShortLinkQuota(
            user: user.id,
            maximumCount: shortLinks.maximumPerUser,
            since: Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch - Self.day)
        )
    }
}

extension EndpointRequest {
    /// Checks that the catalog has an origin of short links.
    ///
    /// - Throws: `Problem` with the code `not-found`.
    func requireShortLinks() throws(Problem) {
        guard !catalog.hasShortLinks else { return }
        throw Problem(
            .notFound,
            detail: "The catalog has no origin of short links.",
            extensions: [
                .init(
                    "hint",
                    text: "Add one to `origins`: { scheme: https, hosts: [go.example.com], shortLinks: true }."
                )
            ]
        )
    }

    /// Returns the body of a link for the caller.
    func body(of link: ShortLink, at time: Timestamp, status: Int? = nil) -> ShortLinkBody {
        let state = ShortLinkState(of: link.contents, at: time, in: catalog)
        return ShortLinkBody(link, state: state, in: catalog, for: caller.isAdmin ? .admin : .publisher, status: status)
    }
}

extension EndpointResponse {
    /// Creates the response with a link, and its version as entity tag.
    init(_ link: ShortLink, at time: Timestamp, status: HTTPResponse.Status = .ok, in call: EndpointRequest) {
        self.init(call.body(of: link, at: time), status: status, fields: [.eTag: "\"\(link.version)\""])
    }
}

extension Problem {
    /// The problem for the name of a link that was created with other terms.
    static var nameTaken: Problem {
        Problem(
            .nameTaken,
            detail: "A short link has this name, and was made on other terms; choose another name for another link."
        )
    }

    /// Returns the problem for a short link that the store did not change.
    init(_ error: ShortLinkWriteError, precondition: UserStatePrecondition = .none) {
        switch error {
        case .versionMismatch(let current):
            let detail =
                switch (current, precondition) {
                case (let version?, .absent): "The short link is there already, of version \(version)."
                case (let version?, _): "The short link has version \(version); read it again before you change it."
                case (nil, _): "There is no such short link, so none matches."
                }
            self.init(versionMismatch: detail, current: current)
        case .nameTaken: self = .nameTaken
        case .codeTaken(let link):
            self.init(
                .codeTaken,
                detail: link?.contents.isWithdrawn == true
                    ? "The code is that of a short link that was withdrawn; to make it work again, say `withdrawn: false`."
                    : "The code is another short link's; choose another one."
            )
        case .tooManyLabels:
            self.init(
                .tooManyLabels,
                detail: "Short links have \(ShortLinkLabel.maximumCount) labels already; use one of them."
            )
        case .tooManyLinks:
            self.init(
                .tooManyRequests,
                detail: "The user has made as many short links today as one may.",
                headers: [.retryAfter: "3600"]
            )
        // This is a stored response, not a problem. It cannot occur without a key.
        case .answered: self.init(.requestInProgress, detail: "The request has been answered before; send it again.")
        }
    }
}

extension ShortLinkDestination {
    /// Resolves the destination of a short link for the caller that creates it.
    ///
    /// - Parameters:
    ///   - link: a link to the destination.
    ///   - permissions: the permissions of the caller, or all for a service.
    ///   - resolver: the keys and the short links. If the link contains another code, that code's target is stored. Its
    ///     signature is kept, except for end users, and its expiry limits the new link's.
    ///   - call: the request.
    /// - Throws: the `Problem` of resolving the link.
    init(
        _ link: DeepLink,
        for permissions: Permissions,
        by resolver: LinkResolver,
        in call: EndpointRequest
    ) async throws(Problem) {
        let catalog = call.catalog
        var followed: ResolvedShortLink?
        if let place = catalog.shortLinkPlace(in: link), let shortLinks = resolver.shortLinks {
            followed = try await shortLinks.followed(place, by: call.caller, in: catalog).get()
        }
        let request = ResolutionRequest(link: link, target: followed?.target)
        let plan = try resolve(request, permissions: permissions, catalog: catalog).plan()
        let signature: ShortLinkSignature?
        if plan.signature != nil, !call.caller.isEndUser, let followed = followed?.link.contents.signature {
            signature = followed
        } else {
            let isAdmin = call.caller.isAdmin
            signature = try Self.signature(of: plan, by: resolver.signingKeys, at: resolver.now(), isGiven: isAdmin)
        }
        do throws(LinkBuildingError) {
            try self.init(plan, signature: signature, from: followed?.link.contents)
        } catch {
            throw Problem(error)
        }
    }
}
