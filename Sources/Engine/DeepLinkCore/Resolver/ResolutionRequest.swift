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
    package private(set) var target: LinkTarget?

    /// The starting point of the link.
    package let mode: Mode

    /// The client's current stack, if it is given.
    package private(set) var current: CurrentStack?

    /// The stack at which the response's transition begins.
    package private(set) var transitionStart: TransitionStart

    /// Whether a partial match of the path is accepted.
    package let acceptsPart: Bool

    /// The requesting app, or `nil` if it isn't given.
    package private(set) var app: AppVersion?

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
        var request = self
        request.app = app
        return request
    }

    /// Returns the same request for a short link with a known target.
    package func leading(to target: LinkTarget) -> ResolutionRequest {
        var request = self
        request.target = target
        return request
    }

    /// Returns the same request, repeated later: by an app with possibly another version, and with another stack.
    ///
    /// The stack that is shown now affects only the transition. Without it there is none. A link of ``Mode/append``
    /// still continues from the current stack of this request.
    package func repeated(by app: AppVersion?, showing shown: CurrentStack?) -> ResolutionRequest {
        var request = asked(by: app)
        (request.current, request.transitionStart) = mode == .append ? (current, .shown(shown)) : (shown, .current)
        return request
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

/// The answer to a request, with every outcome of a well-formed link as a value.
package enum Resolution: Equatable, Sendable {
    /// The link is resolved, and the user may open it.
    case plan(RoutePlan)

    /// The link is gated: the user lacks a level or a grant.
    case denial(Denial)

    /// The link is resolved, but another app than the requesting one has it.
    case otherApp(OtherApp)

    /// The link is resolved, but the requesting app is too old for it.
    case outdated(AppUpdate)

    /// The link fails.
    case failure(ResolutionError)
}

/// The denial of a whole link because another app has it.
package struct OtherApp: Equatable, Sendable {
    /// The first destination of the stack that is in one app alone.
    package let route: String

    /// The name of the app that has the link.
    package let owner: String

    /// The app of the request.
    package let app: AppVersion

    /// The link to open in the app that has it, or `nil` if the stack has none.
    ///
    /// It is the canonical link, for a short link its target's. A link with a signature is repeated as received,
    /// because no canonical link has one.
    package let link: String?

    /// The page of the app that has the link in the store of the requesting app's platform, or `nil` if the catalog does
    /// not declare it.
    package let storeLink: String?

    /// The demand for a signature, or `nil` for a link that needs none.
    package let signature: SignatureDemand?
}

extension OtherApp {
    /// Compares the parts that clients see.
    package static func == (left: OtherApp, right: OtherApp) -> Bool {
        left.route == right.route && left.owner.bytewise == right.owner.bytewise && left.app == right.app
            && left.link?.bytewise == right.link?.bytewise && left.storeLink == right.storeLink
    }
}

/// The denial of a whole link because the app is too old for it.
package struct AppUpdate: Equatable, Sendable {
    /// The first destination of the stack that requires the latest version.
    package let route: String

    /// The app of the request.
    package let app: AppVersion

    /// The version that the stack requires on the app's platform.
    package let requiredVersion: VersionNumber

    /// The page of the app in its platform's store, or `nil` if the catalog does not declare it.
    package let storeLink: String?

    /// The demand for a signature, or `nil` for a link that needs none.
    package let signature: SignatureDemand?
}

extension AppUpdate {
    /// Compares the parts that clients see.
    package static func == (left: AppUpdate, right: AppUpdate) -> Bool {
        left.route == right.route && left.app == right.app && left.requiredVersion == right.requiredVersion
            && left.storeLink == right.storeLink
    }
}

/// The denial of a whole link, with the gate to the first level or grant that the user lacks (decision record 4).
package struct Denial: Equatable, Sendable {
    /// The first destination of the stack that requires the highest level or, if a grant is missing first, a grant that
    /// the user lacks, as an index into ``RouteCatalog/routes``.
    package let routeNumber: Int?

    /// The topmost route of the link's stack, as an index into ``RouteCatalog/routes``, or `nil` for an empty stack.
    let topRouteNumber: Int?

    /// The level that the stack requires.
    package let requiredLevel: AuthorizationLevel

    /// The level that the user has.
    package let userLevel: AuthorizationLevel

    /// The grants that the user lacks, if one of them is missing first, empty if it is a level.
    package let missing: GrantSet

    /// The gate that gives the first level or grant that the user lacks.
    package let gate: GateDirections?

    /// The demand for a signature, or `nil` for a link that needs none.
    package let signature: SignatureDemand?

    /// The catalog, which names the levels and grants of the denial.
    package let catalog: RouteCatalog
}

extension Denial {
    /// The name of the first destination that requires what the user lacks.
    package var route: String { routeNumber.map { catalog.graph.routes[$0].name } ?? "" }

    /// The name of the topmost route of the link's stack, empty for an empty stack.
    package var topRoute: String { topRouteNumber.map { catalog.graph.routes[$0].name } ?? "" }

    /// The levels of the catalog.
    package var levels: LevelLadder { catalog.levels }

    /// The names of the grants that the user lacks, in the order of their gates.
    package var missingNames: [String] { catalog.grants.texts(of: missing) }

    /// The level or the grant that the user lacks first.
    package var firstMissing: Attainment {
        gate?.gives ?? missing.grants.first.map { .grant($0) } ?? .level(requiredLevel)
    }

    /// Compares the parts that clients see.
    package static func == (left: Denial, right: Denial) -> Bool {
        left.route == right.route && left.requiredLevel == right.requiredLevel && left.userLevel == right.userLevel
            && left.missing == right.missing && left.gate == right.gate
    }
}

/// The destination where a user obtains a level or a grant, and its presentation.
package struct GateDirections: Equatable, Sendable {
    /// The level or the grant that the gate gives.
    package let gives: Attainment

    /// The gate's link, under the scheme and host of the denied link.
    package let link: String

    /// The stack to present at once, or `nil` if the requesting app is too old for it.
    package let stack: [Destination]?

    /// The transition to ``stack`` from the client's current stack, or `nil` unless there are both.
    package let transition: Transition?

    /// The level that the gate gives, or `nil` for a grant.
    package var level: AuthorizationLevel? { gives.level }
}
