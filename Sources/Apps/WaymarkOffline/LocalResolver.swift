public import DeepLinkCore
import DeepLinkFormats

/// A response in the format of the server's.
///
/// ```swift
/// let answer = LocalResolver(store.catalog).answer(to: "navigation:/settings", level: "none")
/// answer.status  // 403
/// String(decoding: answer.body, as: UTF8.self).contains("\"gate\":{\"level\":\"onboardingCompleted\"")  // true
/// ```
public struct LocalAnswer: Sendable {
    /// The HTTP status: 200 for a plan, 403 for a gated link, or the status of another problem.
    public let status: Int

    /// The body, in JSON.
    public let body: [UInt8]

    fileprivate init(_ answer: EngineAnswer) {
        status = answer.status
        body = answer.body
    }
}

/// The engine inside an app: the same plans as the server's, byte by byte, without a network.
///
/// The level and the grants are **the app's own claim**, and the owner of the phone can make the app claim others. They
/// decide which screen an honest user sees first, but protect nothing. The content of a screen must be authorized by
/// its backend.
///
/// A link to a signed route is refused, signed or not, because an app that could verify signatures could make them.
/// Resolve such links on the server.
///
/// The response to a gated link has its gate, but no continuation, because only a server issues continuations. Resolve
/// the link again after the user has obtained the level.
///
/// ```swift
/// let answer = LocalResolver(store.catalog).answer(to: "navigation:/settings", level: "signedInUser")
/// answer.status  // 200
/// ```
public struct LocalResolver: Sendable {
    private let catalog: RouteCatalog

    /// Creates a resolver for a catalog, such as ``CatalogStore/catalog``.
    public init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    /// Resolves a link.
    ///
    /// - Parameters:
    ///   - link: the link as received.
    ///   - level: the name of the level that the app assumes for its user. It must be in the catalog.
    ///   - grants: the names of the grants that the app assumes. They must be in the catalog.
    ///   - holds: the names that the app asserts (`from: app`). Other names are ignored.
    ///   - from: the current stack, in the JSON of a request, or `nil`.
    ///   - mode: whether the link replaces the current stack or continues from it.
    ///   - app: the version of the app, or `nil` to ignore required versions and the apps of routes. A name must be in
    ///     the catalog.
    /// - Returns: the response of `POST /v1/resolve`.
    ///
    /// ```swift
    /// let resolver = LocalResolver(store.catalog)
    /// let current = #"[{"route":"tabBar","presentation":"root"},{"route":"characters","presentation":"tab"}]"#
    /// let answer = resolver.answer(
    ///     to: "character/1",
    ///     level: "signedInUser",
    ///     from: Array(current.utf8),
    ///     mode: .append,
    ///     app: AppVersion("ios/3.1.0")
    /// )
    /// answer.status  // 200
    /// ```
    public func answer(
        to link: String,
        level: String,
        grants: [String] = [],
        holds: [String] = [],
        from: [UInt8]? = nil,
        mode: ResolutionRequest.Mode = .replace,
        app: AppVersion? = nil
    ) -> LocalAnswer {
        answer { () throws(Problem) in
            let own = try ResolveFields.permissions(level: level, grants: grants, in: catalog)
            let assertions = catalog.assertions(holds)
            if let app { try RequestedApp.check(app, in: catalog) }
            let request = try ResolveFields.request(
                Array(link.utf8),
                mode: mode,
                current: try current(from),
                app: app,
                in: catalog
            )
            let permissions = own.joined(with: assertions)
            let decision = decide(request, permissions: permissions, catalog: catalog, keys: MissingKeys(), at: nil)
            return PlanBody(try decision.plan(), levelSource: assertions.level > own.level ? .app : nil)
        }
    }

    /// Answers the body of a request for `POST /v1/resolve`, as the engine does in every other language.
    ///
    /// - Parameter body: the body, which may have the fields `link`, `mode`, `from`, `partial`, `explain`, `level`,
    ///   `grants`, `holds`, `app` and `arrival`. There are no users without a server, and the lowest level counts
    ///   without `level`.
    /// - Returns: the response of `POST /v1/resolve`, without a continuation.
    ///
    /// ```swift
    /// let body = #"{"link":"navigation:/settings","level":"signedInUser"}"#
    /// LocalResolver(store.catalog).answer(body: Array(body.utf8)).status  // 200
    /// ```
    public func answer(body: [UInt8]) -> LocalAnswer {
        LocalAnswer(EngineAnswer(resolving: body, in: catalog))
    }

    /// Answers the body of a request for `POST /v1/links`.
    ///
    /// - Parameter body: the body, with `stack`, or with `route` and `parameters`.
    /// - Returns: the response of `POST /v1/links`. Links cannot be signed without a server.
    ///
    /// ```swift
    /// LocalResolver(store.catalog).link(body: Array(#"{"route":"settings"}"#.utf8)).status  // 200
    /// ```
    public func link(body: [UInt8]) -> LocalAnswer {
        LocalAnswer(EngineAnswer(linkingTo: body, in: catalog))
    }

    /// Returns the link that opens a stack.
    ///
    /// - Parameters:
    ///   - stack: the stack, in the JSON of a request.
    ///   - scheme: the scheme of the link, or `nil` for the scheme of the catalog's first origin.
    /// - Returns: the response of `POST /v1/links`.
    ///
    /// ```swift
    /// let stack = #"[{"route":"tabBar","presentation":"root"},{"route":"episodes","presentation":"tab"}]"#
    /// let answer = LocalResolver(store.catalog).link(to: Array(stack.utf8), scheme: "https")
    /// String(decoding: answer.body, as: UTF8.self)  // #"{"link":"https://loremipsum.com/episodes"}"#
    /// ```
    public func link(to stack: [UInt8], scheme: String? = nil) -> LocalAnswer {
        answer { () throws(Problem) in
            guard let value = try? JSONParser.parse(stack) else { throw Self.noStack("stack") }
            return LinkBody(link: try LinkBody.link(to: value, scheme: scheme, in: catalog))
        }
    }

    private func answer(_ body: () throws(Problem) -> some WireBody) -> LocalAnswer {
        LocalAnswer(EngineAnswer(body))
    }

    private func current(_ json: [UInt8]?) throws(Problem) -> CurrentStack? {
        guard let json else { return nil }
        guard let value = try? JSONParser.parse(json), case .array = value else { throw Self.noStack("from") }
        return .stack(try value.stack(field: "from"))
    }

    private static func noStack(_ field: String) -> Problem {
        .wrongType(field: field, detail: "`\(field)` isn't a stack.")
    }
}
