// Waymark's runtime: plans, including plans of a catalog that is newer than the app. Standard library only.

/// The routes of a catalog.
///
/// `waymark generate swift` generates the types.
public nonisolated protocol WaymarkRoute: Hashable, Sendable {
    /// The version of the catalog from which the type was generated.
    static var catalogVersion: String { get }

    /// The name of the app for which the type was generated, or `nil` for a type of every app's routes.
    static var appName: String? { get }

    /// The route's name in the catalog.
    var name: String { get }

    /// The values as they appear in a plan.
    var parameters: ParameterContainer { get }

    /// Reads a destination, or returns `nil` for a route that this version of the app doesn't know.
    ///
    /// - Throws: ``ParameterError`` if the route is known and a parameter isn't.
    init?(name: String, parameters: ParameterContainer) throws
}

nonisolated extension WaymarkRoute {
    /// The name of no app in particular.
    public static var appName: String? { nil }
}

/// A route that this version of the app doesn't know, or knows with other parameters.
public nonisolated struct UnrecognizedRoute: Hashable, Sendable {
    /// The route's name.
    public let name: String

    /// Its parameters, as sent.
    public let parameters: ParameterContainer

    /// Creates a route from its name and values as sent.
    public init(name: String, parameters: ParameterContainer) {
        self.name = name
        self.parameters = parameters
    }
}

/// A route that the app knows, or the name and values of one that it doesn't.
public nonisolated enum Recognized<Route: WaymarkRoute>: Hashable, Sendable {
    case known(Route)
    case unrecognized(UnrecognizedRoute)

    /// Reads a destination.
    ///
    /// A destination that doesn't fit is unrecognized.
    public init(name: String, parameters: ParameterContainer) {
        if let route = try? Route(name: name, parameters: parameters) {
            self = .known(route)
        } else {
            self = .unrecognized(UnrecognizedRoute(name: name, parameters: parameters))
        }
    }

    /// The route's name.
    public var name: String {
        switch self {
        case .known(let route): route.name
        case .unrecognized(let route): route.name
        }
    }

    /// The route, if the app knows it.
    public var known: Route? {
        if case .known(let route) = self { route } else { nil }
    }
}

/// The presentation of a destination over the one below it.
///
/// The set is open, because catalogs may define other presentations.
public nonisolated enum WaymarkPresentation: Hashable, Sendable {
    case root, tab, push, sheet, bottomSheet, fullScreenCover, popover, alert, confirmationDialog

    /// A presentation that the app defines, as the catalog's `custom:<name>` without the prefix, or one that this
    /// version of the app doesn't know.
    case custom(String)

    private static let named: [String: WaymarkPresentation] = [
        "root": .root, "tab": .tab, "push": .push, "sheet": .sheet, "bottomSheet": .bottomSheet,
        "fullScreenCover": .fullScreenCover, "popover": .popover, "alert": .alert,
        "confirmationDialog": .confirmationDialog,
    ]

    /// Creates a presentation from any name.
    public init(name: String) {
        if let known = Self.named[name] {
            self = known
        } else {
            let prefix = "custom:"
            self = .custom(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name)
        }
    }

    /// The name in plans.
    public var name: String {
        switch self {
        case .custom(let name): "custom:" + name
        default: Self.named.first { $0.value == self }?.key ?? ""
        }
    }
}

/// One element of a navigation stack.
public nonisolated struct WaymarkDestination<Route: WaymarkRoute>: Hashable, Sendable {
    /// The route with its values, if the app knows it.
    public let route: Recognized<Route>

    /// The values as sent, including values that the app doesn't know.
    public let parameters: ParameterContainer

    /// The presentation's name, as sent.
    private let presentationName: String

    /// The presentation over the destination below.
    public var presentation: WaymarkPresentation { WaymarkPresentation(name: presentationName) }

    /// Creates a destination of a route that the app knows.
    public init(_ route: Route, presentation: WaymarkPresentation) {
        self.route = .known(route)
        self.parameters = route.parameters
        self.presentationName = presentation.name
    }

    /// Returns the same destination in another presentation.
    public func presented(as presentation: WaymarkPresentation) -> Self {
        Self(route: route.name, presentation: presentation.name, parameters: parameters)
    }

    /// Creates a destination from its parts in a plan.
    public init(route name: String, presentation: String, parameters: ParameterContainer = ParameterContainer()) {
        self.route = Recognized(name: name, parameters: parameters)
        self.parameters = parameters
        self.presentationName = presentation
    }
}

nonisolated extension WaymarkDestination: Codable {
    private enum CodingKeys: String, CodingKey { case route, presentation, parameters }

    /// Reads the destination from JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            route: try container.decode(String.self, forKey: .route),
            presentation: try container.decode(String.self, forKey: .presentation),
            parameters: try container.decodeIfPresent(ParameterContainer.self, forKey: .parameters)
                ?? ParameterContainer()
        )
    }

    /// Writes the destination as it was sent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(route.name, forKey: .route)
        try container.encode(presentationName, forKey: .presentation)
        try container.encode(parameters, forKey: .parameters)
    }
}

/// The transition from the current stack of the app to another.
public nonisolated struct WaymarkTransition<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// The number of destinations that stay, from the root onwards.
    public let keep: Int

    /// The number of destinations that are dismissed, from the top down.
    public let dismiss: Int

    /// The destinations that are then presented, in order.
    public let present: [WaymarkDestination<Route>]

    /// The index of the first shown destination that the server doesn't know.
    ///
    /// It is dismissed with everything over it.
    public let unknownFrom: Int?

    /// Creates a transition from its parts.
    public init(keep: Int, dismiss: Int, present: [WaymarkDestination<Route>], unknownFrom: Int? = nil) {
        self.keep = keep
        self.dismiss = dismiss
        self.present = present
        self.unknownFrom = unknownFrom
    }
}

/// The response to a link that the user can open.
public nonisolated struct RoutePlan<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// The required level and the user's level.
    public struct Levels: Hashable, Sendable, Codable {
        /// The level that the stack requires.
        public let required: String

        /// The level that the user has.
        public let user: String
    }

    /// The grants that a stack requires.
    public struct Grants: Hashable, Sendable, Codable {
        /// The names of the grants, in the order of the catalog's gates.
        public let required: [String]
    }

    /// The link as sent.
    public let link: String

    /// The canonical spelling of all equivalent links.
    public let canonicalLink: String?

    /// The required level and the user's level.
    public let authorizationLevel: Levels?

    /// The required grants, or `nil` if the stack doesn't require any.
    public let grants: Grants?

    /// The destinations, root first.
    public let stack: [WaymarkDestination<Route>]

    /// The fragment, if nothing used it.
    public let unusedFragment: String?

    /// The query pairs that no destination used.
    ///
    /// Each is a name, and a value or `nil`.
    public let unusedQuery: [[String?]]?

    /// The app versions that the stack requires, by platform, as in `["ios": "3.2"]`, if the request names no app.
    public let requiresApp: [String: String]?

    /// The segments that no route matched, if the request accepts a partial match.
    public let unresolved: [String]?

    /// The transition from the stack that was sent.
    public let transition: WaymarkTransition<Route>?

    /// The version of the catalog that the server used.
    public let catalogVersion: String

    /// The stack below the first destination that this version of the app doesn't know.
    public var recognizedPrefix: [WaymarkDestination<Route>] { Array(stack.prefix { $0.route.known != nil }) }

    /// The first destination that this version of the app doesn't know.
    public var firstUnrecognized: UnrecognizedRoute? {
        for destination in stack {
            if case .unrecognized(let route) = destination.route { return route }
        }
        return nil
    }
}

/// The denial of a link, with the gate for the first missing level or grant.
public nonisolated struct WaymarkDenial<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// The gate at which a user obtains a level or a grant.
    public struct Gate: Hashable, Sendable, Codable {
        /// The level that a user obtains there, or `nil` for a grant.
        public let level: String?

        /// The grant that a user obtains there, or `nil` for a level.
        public let grant: String?

        /// The gate's link.
        public let link: String

        /// The stack to present now, or an empty one if the app is too old for it.
        public let stack: [WaymarkDestination<Route>]

        /// The transition to the gate from the stack that was sent.
        public let transition: WaymarkTransition<Route>?

        /// Reads a gate, whose stack is empty if the app is too old for it.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            level = try values.decodeIfPresent(String.self, forKey: .level)
            grant = try values.decodeIfPresent(String.self, forKey: .grant)
            link = try values.decode(String.self, forKey: .link)
            stack = try values.decodeIfPresent([WaymarkDestination<Route>].self, forKey: .stack) ?? []
            transition = try values.decodeIfPresent(WaymarkTransition<Route>.self, forKey: .transition)
        }
    }

    /// The first destination that requires the missing level or grant.
    public let route: String

    /// The level that the link requires.
    public let requiredLevel: String

    /// The level that the user has.
    public let userLevel: String

    /// The grants that the user lacks, in the order of the catalog's gates, or `nil` if a level is missing first.
    public let missing: [String]?

    /// The gate for the first missing level or grant.
    public let gate: Gate?

    /// The token that resolves the link again afterwards.
    public let continuation: String?
}

/// A response that is neither a plan nor a denial (RFC 9457).
public nonisolated struct WaymarkProblem: Error, Hashable, Sendable {
    /// The code, such as `no-matching-route`.
    public let code: String

    /// The HTTP status of the response, or 0 if none arrived.
    public let status: Int

    /// The description of the problem, for people.
    public let detail: String

    /// All members, by name.
    public let members: [String: WaymarkJSON]

    /// Creates a problem from its members.
    ///
    /// Missing members are empty.
    public init(members: [String: WaymarkJSON], status: Int) {
        let text = { (key: String) in members[key].flatMap(String.init(json:)) ?? "" }
        let prefix = "urn:waymark:problem:"
        let type = text("type")
        code = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
        detail = text("detail")
        self.status = status
        self.members = members
    }

    /// The update that the link requires, or `nil` for other problems.
    public var appUpdate: WaymarkUpdate? {
        let text = { (key: String) in members[key].flatMap(String.init(json:)) }
        guard code == "app-update-required", let route = text("route"), let platform = text("platform"),
            let requiredVersion = text("requiredVersion"), let appVersion = text("appVersion")
        else { return nil }
        return WaymarkUpdate(
            route: route,
            platform: platform,
            requiredVersion: requiredVersion,
            appVersion: appVersion,
            storeLink: text("storeLink")
        )
    }

    /// The app that has the link, if it is another one, or `nil` for other problems.
    public var otherApp: WaymarkOtherApp? {
        let text = { (key: String) in members[key].flatMap(String.init(json:)) }
        guard code == "other-app", let route = text("route"), let app = text("app") else { return nil }
        return WaymarkOtherApp(route: route, app: app, link: text("link"), storeLink: text("storeLink"))
    }
}

/// Another app that has a link.
public nonisolated struct WaymarkOtherApp: Hashable, Sendable {
    /// The first destination that is in that app alone.
    public let route: String

    /// The name of the app in the catalog.
    public let app: String

    /// The link to open in the app, if there is one.
    public let link: String?

    /// The app's page in the store, if the catalog has it.
    public let storeLink: String?
}

/// The version of the app that a link requires.
public nonisolated struct WaymarkUpdate: Hashable, Sendable {
    /// The first destination that the app is too old for.
    public let route: String

    /// The platform of the app.
    public let platform: String

    /// The lowest version that the stack requires.
    public let requiredVersion: String

    /// The current version of the app.
    public let appVersion: String

    /// The app's page in the store, if the catalog has it.
    public let storeLink: String?
}

/// The server's response to a link.
public nonisolated enum WaymarkAnswer<Route: WaymarkRoute>: Hashable, Sendable {
    case plan(RoutePlan<Route>)
    case denied(WaymarkDenial<Route>)
    case problem(WaymarkProblem)
}
