import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPTypes

/// The making and the replacement of short links, for one body and for a line of many.
struct ShortLinkMaking {
    /// The milliseconds of the day within which an end user may make so many links.
    private static let day: Int64 = 86_400_000

    /// The resolution of links.
    let resolver: LinkResolver

    /// The short links.
    let shortLinks: ShortLinkService

    /// Whether changes are in an audit log.
    let isAudited: Bool

    /// Returns the link that has a name already, made on the same terms; `nil` if the name is free.
    ///
    /// - Throws: `Problem` of code `name-taken`, if it was made on other terms.
    func known(_ requested: RequestedShortLink, to caller: Caller) async throws(Problem) -> ShortLink? {
        guard let naming = requested.naming else { return nil }
        return try Self.known(requested, among: try await links(of: [naming]), to: caller)
    }

    /// Returns the link among some that has a name already, as ``known(_:to:)`` does.
    ///
    /// The user whom a link is about is one of the terms, and shown to admins alone. For other publishers than the maker
    /// it is no term, so that no answer tells a right guess from a wrong one.
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

    /// Reads the links that have some names already.
    func links(of namings: [ShortLinkNaming]) async throws(Problem) -> [ShortLinkName: ShortLink] {
        guard !namings.isEmpty else { return [:] }
        return try await shortLinks.reading { try await $0.storedLinks(named: namings.map(\.name)) }
    }

    /// Returns the write that a request asks for, once its destination is resolved.
    ///
    /// - Throws: `Problem` of a destination that does not resolve, or of terms that it does not allow.
    func write(
        _ requested: RequestedShortLink,
        under precondition: UserStatePrecondition = .none,
        in call: EndpointRequest,
        keeping: AnswerKeeping<SavedShortLink>? = nil
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
            keeping: keeping
        )
    }

    /// Returns the permissions with which the destination must be open: an end user's own, and all of a service.
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
    /// Requires the catalog to have an origin of short links.
    ///
    /// - Throws: `Problem` of code `not-found`.
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
        ShortLinkBody(link, at: time, in: catalog, for: caller.isAdmin ? .admin : .publisher, status: status)
    }
}

extension EndpointResponse {
    /// Creates the response with a link, with its version as entity tag.
    init(_ link: ShortLink, at time: Timestamp, status: HTTPResponse.Status = .ok, in call: EndpointRequest) {
        self.init(
            call.body(of: link, at: time),
            status: status,
            fields: [.eTag: "\"\(link.version)\""]
        )
    }
}

extension Problem {
    /// Returns the problem for a name of a link that was made on other terms.
    static var nameTaken: Problem {
        Problem(
            .nameTaken,
            detail: "A short link has this name, and was made on other terms; choose another name for another link."
        )
    }

    /// Returns the problem for a short link that the store left as it was.
    init(_ error: ShortLinkWriteError, precondition: UserStatePrecondition = .none) {
        switch error {
        case .versionMismatch(let current):
            let detail =
                switch (current, precondition) {
                case (let version?, .absent): "The short link is there already, of version \(version)."
                case (let version?, _): "The short link has version \(version); read it again before you change it."
                case (nil, _): "There is no such short link, so none matches."
                }
            self.init(
                .versionMismatch,
                detail: detail,
                extensions: [current.map { .init("version", number: $0) } ?? .init("version", text: nil as String?)]
            )
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
        // Those are answers, and no problems; it cannot come without a key.
        case .answered: self.init(.requestInProgress, detail: "The request has been answered before; send it again.")
        }
    }
}
