import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPServer

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
        let app = try RequestedApp.app(named, header: terms.app)
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
        let app = try RequestedApp.app(named, header: terms.app)
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
            app: try RequestedApp.app(nil, header: call.head.fields.app),
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
