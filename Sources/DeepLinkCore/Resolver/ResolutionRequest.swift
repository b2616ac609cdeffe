/// A question what a link means, and to which app; the user's level and the catalog stand beside it.
public struct ResolutionRequest: Hashable, Sendable {
    /// The place where a link begins.
    public enum Mode: String, CaseIterable, Sendable {
        /// The link says the whole stack, from `entry` on.
        case replace

        /// The link continues from the top of the client's current stack.
        case append
    }

    /// The link to resolve; a relative reference only fits ``Mode/append``.
    public let link: DeepLink

    /// The place where the link begins.
    public let mode: Mode

    /// What the client shows now, if it says so.
    public let current: CurrentStack?

    /// Whether the part of a path that matches is good enough.
    public let acceptsPart: Bool

    /// The app that is to show it; `nil` where the client does not say.
    public let app: AppVersion?

    /// Creates a request for a link.
    public init(
        link: DeepLink,
        mode: Mode = .replace,
        current: CurrentStack? = nil,
        acceptsPart: Bool = false,
        app: AppVersion? = nil
    ) {
        self.link = link
        self.mode = mode
        self.current = current
        self.acceptsPart = acceptsPart
        self.app = app
    }

    /// The same question of another app.
    public func asked(by app: AppVersion?) -> ResolutionRequest {
        ResolutionRequest(link: link, mode: mode, current: current, acceptsPart: acceptsPart, app: app)
    }

    /// Parses the bytes of a link; in ``Mode/append`` they may be a relative reference, and of some schemes the path needs
    /// no slash before it.
    ///
    /// - Throws: ``LinkSyntaxError``, with the rule that the bytes break and where.
    public init(
        link: [UInt8],
        mode: Mode,
        current: CurrentStack? = nil,
        acceptsPart: Bool = false,
        app: AppVersion? = nil,
        rootless: RootlessSchemes = .none
    ) throws(LinkSyntaxError) {
        self.init(
            link: try mode == .append
                ? DeepLink(reference: link, rootless: rootless) : DeepLink(bytes: link, rootless: rootless),
            mode: mode,
            current: current,
            acceptsPart: acceptsPart,
            app: app
        )
    }
}
