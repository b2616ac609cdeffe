/// A request to resolve a link for an app, without the user's level and the catalog, which are passed separately.
///
/// ```swift
/// let resolver = LocalResolver(store.catalog)
/// resolver.answer(to: "navigation:/onboarding", level: "none", mode: .replace).status  // 200
/// ```
public struct ResolutionRequest: Hashable, Sendable {
    /// The starting point of a link.
    ///
    /// ```swift
    /// ResolutionRequest.Mode(rawValue: "append")  // .append
    /// ```
    public enum Mode: String, CaseIterable, Sendable {
        /// The link describes the whole stack, from `entry` on.
        case replace

        /// The link continues from the top of the client's current stack.
        case append
    }

    /// The link to resolve, which may be a relative reference in ``Mode/append``.
    package let link: DeepLink

    /// The link to resolve in place of a short link, if its target is known.
    package let target: LinkTarget?

    /// The starting point of the link.
    package let mode: Mode

    /// The client's current stack, if it is given.
    package let current: CurrentStack?

    /// The stack at which the response's transition begins.
    package let transitionStart: TransitionStart

    /// Whether a partial match of the path is accepted.
    package let acceptsPart: Bool

    /// The requesting app, or `nil` if it isn't given.
    package let app: AppVersion?

    /// Creates a request for a link.
    package init(
        link: DeepLink,
        target: LinkTarget? = nil,
        mode: Mode = .replace,
        current: CurrentStack? = nil,
        transitionStart: TransitionStart = .current,
        acceptsPart: Bool = false,
        app: AppVersion? = nil
    ) {
        self.link = link
        self.target = target
        self.mode = mode
        self.current = current
        self.transitionStart = transitionStart
        self.acceptsPart = acceptsPart
        self.app = app
    }

    /// Returns the same request for another app.
    package func asked(by app: AppVersion?) -> ResolutionRequest {
        ResolutionRequest(
            link: link,
            target: target,
            mode: mode,
            current: current,
            transitionStart: transitionStart,
            acceptsPart: acceptsPart,
            app: app
        )
    }

    /// Returns the same request for a short link with a known target.
    package func leading(to target: LinkTarget) -> ResolutionRequest {
        ResolutionRequest(
            link: link,
            target: target,
            mode: mode,
            current: current,
            transitionStart: transitionStart,
            acceptsPart: acceptsPart,
            app: app
        )
    }

    /// Returns the same request, repeated later: by an app with possibly another version, and with another stack.
    ///
    /// The stack that is shown now affects only the transition. Without it there is none. A link of ``Mode/append``
    /// still continues from the current stack of this request.
    package func repeated(by app: AppVersion?, showing shown: CurrentStack?) -> ResolutionRequest {
        ResolutionRequest(
            link: link,
            target: target,
            mode: mode,
            current: mode == .append ? current : shown,
            transitionStart: mode == .append ? .shown(shown) : .current,
            acceptsPart: acceptsPart,
            app: app
        )
    }

    /// Parses the bytes of a link.
    ///
    /// In ``Mode/append`` they may be a relative reference, and for some schemes the path needs no leading slash.
    ///
    /// - Throws: ``LinkSyntaxError`` with the broken rule and its position.
    package init(
        link: [UInt8],
        mode: Mode,
        current: CurrentStack? = nil,
        acceptsPart: Bool = false,
        app: AppVersion? = nil,
        rootless: RootlessSchemes
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

/// The current stack of a client.
package enum CurrentStack: Hashable, Sendable {
    /// The stack of this link, without regard to the user's level.
    case link(DeepLink)

    /// These destinations, root first, including edges that no link can take.
    case stack([Destination])
}

/// The stack at which the transition of a response begins.
package indirect enum TransitionStart: Hashable, Sendable {
    /// The client's current stack, from which the link may continue.
    case current

    /// The stack that the client shows, as far as it fits the catalog, or `nil` for a response without a transition.
    case shown(CurrentStack?)
}

/// The link that is resolved in place of a short link.
///
/// The engine does not store codes. The caller finds the target of a code and passes it to the engine with the request.
package final class LinkTarget: Sendable {
    /// The link that the short link stands for.
    package let link: DeepLink

    /// Whether the short link stands for the signature that the target needs.
    package let isSigned: Bool

    /// Creates a target.
    package init(_ link: DeepLink, isSigned: Bool = false) {
        self.link = link
        self.isSigned = isSigned
    }
}

extension LinkTarget: Hashable {
    /// Compares the links, and whether they are signed.
    package static func == (left: LinkTarget, right: LinkTarget) -> Bool {
        left.link == right.link && left.isSigned == right.isSigned
    }

    /// Hashes the link.
    package func hash(into hasher: inout Hasher) { hasher.combine(link) }
}
