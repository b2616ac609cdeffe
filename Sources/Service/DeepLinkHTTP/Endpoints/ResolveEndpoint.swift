import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import HTTPTypes

/// The endpoints that resolve a link for a user: `GET` and `POST /v1/resolve`.
struct ResolveEndpoint {
    private static let path = "/v1/resolve"

    /// The answers to links.
    let answers: RecentAnswers

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get,
                Self.path,
                access: .resolvingLinks,
                query: ResolveArguments.names,
                handler: ResolveHandler(answers: answers) { call throws(Problem) in
                    do throws(Problem) {
                        return try ResolveArguments(queryOf: call, recent: answers.links)
                    } catch {
                        throw call.query.hasPlus(at: ResolveArguments.Name.link.rawValue)
                            ? error.adding(hint: Self.plusHint) : error
                    }
                } respond: { call, arguments, level throws(Problem) in
                    guard call.query.hasPlus(at: ResolveArguments.Name.link.rawValue) else {
                        return try answers.answer(for: arguments, at: level, in: call).response()
                    }
                    do throws(Problem) {
                        return EndpointResponse(
                            try answers.resolver.plan(for: arguments, at: level, in: call)
                                .adding(hint: Self.plusHint)
                        )
                    } catch {
                        throw error.adding(hint: Self.plusHint)
                    }
                }
                .handler
            ),
            Endpoint(
                .post,
                Self.path,
                access: .resolvingLinks,
                body: .object(keys: ResolveArguments.names),
                handler: ResolveHandler(answers: answers) { call throws(Problem) in
                    try ResolveArguments(
                        body: call.body,
                        terms: call.head.terms,
                        caller: call.caller,
                        catalog: call.catalog,
                        recent: answers.links
                    )
                } respond: { call, arguments, level throws(Problem) in
                    try answers.answer(for: arguments, at: level, in: call).response()
                }
                .handler
            ),
        ]
    }

    /// A hint for clients that send a link without percent-encoding it.
    private static let plusHint =
        "A `+` in this query is a space. A plus that belongs to the link is `%2B` here, a space in a link `%2520`."
}

/// The handler of an endpoint that resolves one link: its response depends on a level, which may be cached or remote.
struct ResolveHandler: Sendable {
    /// The answers to links.
    let answers: RecentAnswers

    /// Returns the fields of every response, including refusals.
    var fields: @Sendable (EndpointRequest) -> HTTPFields = { _ in [:] }

    /// Returns an answer that needs no level, or `nil` if one is needed.
    var answerWithoutLevel: @Sendable (EndpointRequest) throws(Problem) -> Answer<EndpointResponse>? = { _ in nil }

    /// Reads the arguments of a request.
    let arguments: @Sendable (EndpointRequest) throws(Problem) -> ResolveArguments

    /// Returns the response, once the level is known.
    let respond: @Sendable (EndpointRequest, ResolveArguments, UserLevel) throws(Problem) -> EndpointResponse

    /// The endpoint's handler.
    var handler: Endpoint.Handler {
        .atOnce { call throws(Problem) in
            if let answer = try answerWithoutLevel(call) { return answer }
            do throws(Problem) {
                let answer = try answer(to: call)
                if case .ready = answer { return answer }
                return answer.recovering { throw adding(fields(call), to: .ofWait($0)) }
            } catch {
                throw adding(fields(call), to: error)
            }
        }
    }

    /// Follows the code of a link, reads the user's level, and resolves.
    private func answer(to call: EndpointRequest) throws(Problem) -> Answer<EndpointResponse> {
        // Most catalogs have no codes to follow.
        guard call.catalog.hasShortLinks else { return try answer(to: call, arguments: try arguments(call)) }
        switch try answers.followed(try arguments(call), in: call) {
        case .ready(let arguments): return try answer(to: call, arguments: arguments)
        case .waiting(let wait): return .waiting { try await answer(to: call, arguments: try await wait()).value }
        }
    }

    private func answer(
        to call: EndpointRequest,
        arguments: ResolveArguments
    ) throws(Problem) -> Answer<EndpointResponse> {
        switch try answers.resolver.level(for: arguments, in: call) {
        case .ready(let level): .ready(try finish(call, arguments: arguments, level: level))
        case .waiting(let wait): .waiting { try finish(call, arguments: arguments, level: try await wait()) }
        }
    }

    /// Returns the response, with a warning if the level may be out of date (RFC 9111 §5.5, with the warn-code of RFC
    /// 7234 §5.5.1).
    private func finish(
        _ call: EndpointRequest,
        arguments: ResolveArguments,
        level: UserLevel
    ) throws(Problem) -> EndpointResponse {
        guard level.isStale || arguments.followed?.isStale == true else { return try respond(call, arguments, level) }
        do throws(Problem) {
            return try respond(call, arguments, level).adding(UserLevel.staleFields)
        } catch {
            throw error.adding(UserLevel.staleFields)
        }
    }

    private func adding(_ fields: HTTPFields, to problem: Problem) -> Problem {
        fields.isEmpty ? problem : problem.adding(fields)
    }
}

/// The arguments of a resolution, from a query, a body or a line of a batch.
struct ResolveArguments {
    /// An argument, by its position among ``names``.
    enum Name: Int {
        case link, user, userVersion, mode, from, partial, explain, level, app, arrival, grants, holds
    }

    /// The names of the arguments.
    static let names = ResolveFields.names

    private(set) var request: ResolutionRequest

    /// The cache's result for the link.
    ///
    /// Only a request without further terms looks it up, so that its answer may be cached.
    private(set) var memory: ResolutionCache.Lookup

    /// The user with the level in effect, or `nil` for the lowest level.
    let user: UserID?

    /// The minimum version of the user, or 0 for any.
    let userVersion: Int

    /// The level and the grants in effect without a user, named by the request if at all.
    let permissions: Permissions

    /// The level and the grants that the app asserts.
    let assertions: Permissions

    /// Whether the answer lists the routes that were tried.
    let explains: Bool

    /// The path by which the link arrived as a deferred deep link, for counts only, or `nil` for any other link.
    var arrival: Arrival?

    /// Whether the request names a level instead of a user.
    let namesLevel: Bool

    /// Whether the query or the body names the app, even one with an unknown version, for counts only.
    let namesApp: Bool

    /// The short link in the request, for counts only, or `nil` for any other link.
    var shortLink: ShortLinkCountKey?

    /// The short link that was followed, or `nil` for any other link.
    private(set) var followed: ResolvedShortLink?

    /// Whether to cache the answer: the link was seen before, without further terms.
    var isWorthKeeping: Bool {
        switch memory {
        case .known, .again: true
        case .new: false
        }
    }

    /// Takes the target of a short link that was followed; in place, since arguments are large.
    consuming func leading(to followed: ResolvedShortLink) -> ResolveArguments {
        var arguments = self
        (arguments.followed, arguments.shortLink) = (followed, followed.mark)
        if case .known(let known) = arguments.memory {
            if known.followed === followed { return arguments }
            // The cached answer is for another version.
            arguments.memory = .again
        }
        arguments.request = arguments.request.leading(to: followed.target)
        return arguments
    }

    /// Reads the query of a request.
    ///
    /// - Throws: `Problem` with the code `invalid-request` or `malformed-link`.
    init(queryOf call: EndpointRequest, recent: ResolutionCache) throws(Problem) {
        try self.init(
            query: call.query,
            terms: call.head.terms,
            caller: call.caller,
            catalog: call.catalog,
            recent: recent
        )
    }

    /// Reads a query.
    ///
    /// - Throws: `Problem` with the code `invalid-request` or `malformed-link`.
    private init(
        query: FormQuery,
        terms: ResolutionTerms,
        caller: Caller,
        catalog: RouteCatalog,
        recent: ResolutionCache
    ) throws(Problem) {
        guard let link = query.bytes(at: Name.link.rawValue) else {
            throw .missing(field: "link", detail: "Name the link, percent-encoded: `/v1/resolve?link=…`.")
        }
        let from = try query.bytes(at: Name.from.rawValue)
            .map { bytes throws(Problem) in
                try ResolveFields.currentStack(Array(bytes), rootless: catalog.rootlessSchemes)
            }
        let user = try RequestedUser.user(
            try query.text(at: Name.user.rawValue),
            header: terms.user,
            of: caller
        )
        self.user = user
        userVersion = try RequestedVersion.version(
            try query.text(at: Name.userVersion.rawValue),
            header: terms.userVersion,
            of: user
        )
        let level = try query.text(at: Name.level.rawValue)
        namesLevel = level != nil
        permissions = try RequestedLevel.permissions(
            level,
            grants: try query.text(at: Name.grants.rawValue).map(NameList.items),
            insteadOf: user,
            by: caller,
            in: catalog
        )
        assertions = try Assertions.permissions(in: catalog, header: terms.holds) { () throws(Problem) in
            try query.text(at: Name.holds.rawValue).map(NameList.items)
        }
        explains = try query.bool(at: Name.explain.rawValue) ?? false
        arrival =
            try query.text(at: Name.arrival.rawValue)
            .map { name throws(Problem) in try Arrival.arrival(name) } ?? nil
        let named = try query.text(at: Name.app.rawValue)
        namesApp = named != nil
        let app = try RequestedApp.app(named, header: terms.app, in: catalog)
        (request, memory) = try Self.request(
            for: link.span,
            mode: try query.text(at: Name.mode.rawValue),
            from: from,
            isPartial: try query.bool(at: Name.partial.rawValue),
            app: app,
            explains: explains,
            catalog: catalog,
            recent: recent
        )
    }

    /// Reads a JSON body, or a line of a batch.
    ///
    /// - Throws: `Problem` with the code `invalid-request` or `malformed-link`.
    init(
        body: JSONObjectBody,
        terms: ResolutionTerms,
        caller: Caller,
        catalog: RouteCatalog,
        recent: ResolutionCache
    ) throws(Problem) {
        let link = try body.requiredString("link")
        let from = try ResolveFields.currentStack(of: body, rootless: catalog.rootlessSchemes)
        let user = try RequestedUser.user(try body.string("user"), header: terms.user, of: caller)
        self.user = user
        userVersion = try RequestedVersion.version(body["userVersion"], header: terms.userVersion, of: user)
        let level = try body.string("level")
        namesLevel = level != nil
        permissions = try RequestedLevel.permissions(
            level,
            grants: try body.strings("grants"),
            insteadOf: user,
            by: caller,
            in: catalog
        )
        let held = try body.strings("holds")
        assertions = Assertions.permissions(in: catalog, header: terms.holds) { held }
        explains = try body.bool("explain") ?? false
        arrival = try Arrival.arrival(try body.string("arrival"))
        let named = try body.string("app")
        namesApp = named != nil
        let app = try RequestedApp.app(named, header: terms.app, in: catalog)
        (request, memory) = try Self.request(
            for: link.utf8Span.span,
            mode: try body.string("mode"),
            from: from,
            isPartial: try body.bool("partial"),
            app: app,
            explains: explains,
            catalog: catalog,
            recent: recent
        )
    }

    /// Repeats an earlier request for a user, with the permissions that the app asserts now.
    init(
        request: ResolutionRequest,
        user: UserID,
        userVersion: Int = 0,
        assertions: Permissions = .none,
        shortLink: ShortLinkCountKey? = nil,
        namesApp: Bool = false
    ) {
        self.request = request
        memory = .new
        self.user = user
        self.userVersion = userVersion
        permissions = .none
        self.assertions = assertions
        self.shortLink = shortLink
        self.namesApp = namesApp
        explains = false
        namesLevel = false
        arrival = nil
    }

    /// Creates the arguments of a request for a web link.
    ///
    /// - Throws: `Problem` with the code `invalid-request` or `malformed-link`.
    init(link: Span<UInt8>, of call: EndpointRequest, recent: ResolutionCache) throws(Problem) {
        let user = try call.user(named: nil)
        self.user = user
        userVersion = try RequestedVersion.version(nil as String?, header: call.head.fields.userVersion, of: user)
        permissions = .none
        assertions = Assertions.permissions(in: call.catalog, header: call.head.fields.holds) { nil }
        explains = false
        namesLevel = false
        namesApp = false
        arrival = nil
        (request, memory) = try Self.request(
            for: link,
            app: try RequestedApp.app(nil, header: call.head.fields.app, in: call.catalog),
            catalog: call.catalog,
            recent: recent
        )
    }

    /// Returns the request for a link, parsed unless it is cached.
    private static func request(
        for bytes: Span<UInt8>,
        mode modeName: String? = nil,
        from current: CurrentStack? = nil,
        isPartial acceptsPart: Bool? = nil,
        app: AppVersion?,
        explains: Bool = false,
        catalog: RouteCatalog,
        recent: ResolutionCache
    ) throws(Problem) -> (ResolutionRequest, ResolutionCache.Lookup) {
        var memory = ResolutionCache.Lookup.new
        if modeName == nil, current == nil, acceptsPart != true, app == nil, !explains {
            memory = recent.find(bytes, in: catalog)
            if case .known(let known) = memory { return (known.request, memory) }
        }
        let mode = try ResolveFields.mode(modeName)
        let link = bytes.withUnsafeBufferPointer { Array($0) }
        let request = try ResolveFields.request(
            link,
            mode: mode,
            current: current,
            acceptsPart: acceptsPart ?? false,
            app: app,
            in: catalog
        )
        return (request, memory)
    }
}
