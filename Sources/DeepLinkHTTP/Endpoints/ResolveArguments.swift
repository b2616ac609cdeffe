import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The arguments of a resolution, from a query, a body or a line of a batch.
struct ResolveArguments {
    /// The names of the arguments.
    static let names = ["link", "user", "userVersion", "mode", "from", "partial", "explain", "level", "app", "arrival"]

    /// The resolution to perform.
    let request: ResolutionRequest

    /// The user whose level is in effect; without one, it is `none`.
    let user: UserID?

    /// The minimum version of the user; 0 for any.
    let userVersion: Int

    /// The level in effect instead of a user's; `nil` if none is requested.
    let level: AuthorizationLevel?

    /// Whether the answer lists the routes that were tried.
    let explains: Bool

    /// The way on which the link came over the installation of an app, for counts alone; `nil` for any other link.
    let arrival: Arrival?

    /// Reads the query of a request.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    init(queryOf call: EndpointRequest) throws(Problem) {
        try self.init(
            query: call.query,
            fields: call.head.fields,
            caller: call.caller,
            rootless: call.catalog.rootlessSchemes
        )
    }

    /// Reads a query; the fields are borrowed, since a copy of them counts a dozen references.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    private init(
        query: FormQuery,
        fields: RequestFields,
        caller: Caller,
        rootless: RootlessSchemes
    ) throws(Problem) {
        guard let link = query.bytes("link") else {
            throw .invalidRequest(
                field: "link",
                reason: .missing,
                detail: "Name the link, percent-encoded: `/v1/resolve?link=…`."
            )
        }
        let from = try query.bytes("from")
            .map { bytes throws(Problem) in try Self.currentStack(bytes, rootless: rootless) }
        let user = try RequestedUser.user(try query.text("user"), header: fields.user, of: caller)
        self.user = user
        userVersion = try RequestedVersion.version(
            try query.text("userVersion"),
            header: fields.userVersion,
            of: user
        )
        level = try RequestedLevel.level(try query.text("level"), insteadOf: user, by: caller)
        explains = try query.bool("explain") ?? false
        arrival = try Arrival.arrival(try query.text("arrival"))
        let app = try RequestedApp.app(try query.text("app"), header: fields.app)
        request = try Self.request(
            for: link,
            mode: try query.text("mode"),
            from: from,
            isPartial: try query.bool("partial"),
            app: app,
            rootless: rootless
        )
    }

    /// Reads a JSON body, or a line of a batch.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    init(
        body: JSONObjectBody,
        fields: RequestFields,
        caller: Caller,
        rootless: RootlessSchemes
    ) throws(Problem) {
        let link = Array(try body.requiredString("link").utf8)
        let from: CurrentStack? =
            switch body["from"] {
            case nil: nil
            case .string(let text)?: try Self.currentStack(Array(text.utf8), rootless: rootless)
            case .array(let items)?: .stack(try JSONValue.array(items).stack(field: "from"))
            case let value?:
                throw .invalidRequest(
                    field: "from",
                    reason: .wrongType,
                    detail: "`from` is \(value.typeInWords); send a link or a stack."
                )
            }
        let user = try RequestedUser.user(try body.string("user"), header: fields.user, of: caller)
        self.user = user
        userVersion = try RequestedVersion.version(body["userVersion"], header: fields.userVersion, of: user)
        level = try RequestedLevel.level(try body.string("level"), insteadOf: user, by: caller)
        explains = try body.bool("explain") ?? false
        arrival = try Arrival.arrival(try body.string("arrival"))
        let app = try RequestedApp.app(try body.string("app"), header: fields.app)
        request = try Self.request(
            for: link,
            mode: try body.string("mode"),
            from: from,
            isPartial: try body.bool("partial"),
            app: app,
            rootless: rootless
        )
    }

    /// Repeats an earlier request for a user.
    init(request: ResolutionRequest, user: UserID, userVersion: Int = 0) {
        self.request = request
        self.user = user
        self.userVersion = userVersion
        level = nil
        explains = false
        arrival = nil
    }

    /// Creates the arguments of a call whose target is the link.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    init(link: [UInt8], of call: EndpointRequest) throws(Problem) {
        let user = try call.user(named: nil)
        self.user = user
        userVersion = try RequestedVersion.version(nil as String?, header: call.head.fields.userVersion, of: user)
        level = nil
        explains = false
        arrival = nil
        request = try Self.request(
            for: link,
            app: try RequestedApp.app(nil, header: call.head.fields.app),
            rootless: .none
        )
    }

    private static func request(
        for link: [UInt8],
        mode modeName: String? = nil,
        from current: CurrentStack? = nil,
        isPartial acceptsPart: Bool? = nil,
        app: AppVersion?,
        rootless: RootlessSchemes
    ) throws(Problem) -> ResolutionRequest {
        let mode: ResolutionRequest.Mode
        if let modeName {
            guard let named = ResolutionRequest.Mode(bytewise: modeName) else {
                let names = ResolutionRequest.Mode.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
                throw .invalidRequest(
                    field: "mode",
                    reason: .invalidValue,
                    detail: "`\(modeName)` isn't a mode; send \(names)."
                )
            }
            mode = named
        } else {
            mode = .replace
        }
        do throws(LinkSyntaxError) {
            return try ResolutionRequest(
                link: link,
                mode: mode,
                current: current,
                acceptsPart: acceptsPart ?? false,
                app: app,
                rootless: rootless
            )
        } catch {
            throw Problem(error, in: link)
        }
    }

    private static func currentStack(
        _ bytes: [UInt8],
        rootless: RootlessSchemes
    ) throws(Problem) -> CurrentStack {
        do throws(LinkSyntaxError) {
            return .link(try DeepLink(bytes: bytes, rootless: rootless))
        } catch {
            throw .invalidRequest(
                field: "from",
                reason: .malformed,
                detail: "`from` breaks the rule \(error.reason.rawValue) of links at byte \(error.offset). "
                    + error.reason.advice
            )
        }
    }
}
