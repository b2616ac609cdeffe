import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The arguments of a resolution, from a query, a body or a line of a batch.
struct ResolveArguments {
    /// The names of the arguments.
    static let names = ["link", "user", "userVersion", "mode", "from", "partial", "explain", "level", "app"]

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

    /// Reads the query of a request.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    init(
        _ query: FormQuery,
        _ fields: RequestFields,
        _ caller: Caller,
        _ rootless: RootlessSchemes
    ) throws(Problem) {
        guard let link = query.bytes("link") else {
            throw .invalidRequest(
                field: "link",
                reason: .missing,
                detail: "Name the link, percent-encoded: `/v1/resolve?link=…`."
            )
        }
        let from = try query.bytes("from").map { bytes throws(Problem) in try Self.currentStack(bytes, rootless) }
        let user = try RequestedUser.user(try query.text("user"), fields.user, caller)
        self.user = user
        userVersion = try RequestedVersion.version(try query.text("userVersion"), fields.userVersion, of: user)
        level = try RequestedLevel.level(try query.text("level"), insteadOf: user, caller)
        explains = try query.bool("explain") ?? false
        let app = try RequestedApp.app(try query.text("app"), header: fields.app)
        request = try Self.request(link, try query.text("mode"), from, try query.bool("partial"), app, rootless)
    }

    /// Reads a JSON body, or a line of a batch.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    init(
        _ body: JSONObjectBody,
        _ fields: RequestFields,
        _ caller: Caller,
        _ rootless: RootlessSchemes
    ) throws(Problem) {
        let link = Array(try body.requiredString("link").utf8)
        let from: CurrentStack? =
            switch body["from"] {
            case nil: nil
            case .string(let text)?: try Self.currentStack(Array(text.utf8), rootless)
            case .array(let items)?: .stack(try JSONValue.array(items).stack(field: "from"))
            case let value?:
                throw .invalidRequest(
                    field: "from",
                    reason: .wrongType,
                    detail: "`from` is \(value.typeInWords); send a link or a stack."
                )
            }
        let user = try RequestedUser.user(try body.string("user"), fields.user, caller)
        self.user = user
        userVersion = try RequestedVersion.version(body["userVersion"], fields.userVersion, of: user)
        level = try RequestedLevel.level(try body.string("level"), insteadOf: user, caller)
        explains = try body.bool("explain") ?? false
        let app = try RequestedApp.app(try body.string("app"), header: fields.app)
        request = try Self.request(link, try body.string("mode"), from, try body.bool("partial"), app, rootless)
    }

    /// Repeats an earlier request for a user.
    init(request: ResolutionRequest, user: UserID, _ userVersion: Int = 0) {
        self.request = request
        self.user = user
        self.userVersion = userVersion
        level = nil
        explains = false
    }

    /// Creates the arguments for a link, with nothing else but possibly a user.
    ///
    /// - Throws: `Problem` of code `invalid-request` or `malformed-link`.
    init(link: [UInt8], user: String? = nil, _ fields: RequestFields, _ caller: Caller) throws(Problem) {
        let user = try RequestedUser.user(user, fields.user, caller)
        self.user = user
        userVersion = try RequestedVersion.version(nil as String?, fields.userVersion, of: user)
        level = nil
        explains = false
        request = try Self.request(link, nil, nil, nil, try RequestedApp.app(nil, header: fields.app), .none)
    }

    private static func request(
        _ link: [UInt8],
        _ modeName: String?,
        _ current: CurrentStack?,
        _ acceptsPart: Bool?,
        _ app: AppVersion?,
        _ rootless: RootlessSchemes
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
        _ rootless: RootlessSchemes
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
