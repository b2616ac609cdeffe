// Waymark's runtime: plans, and what an app that is older than the catalog makes of them. Standard library only.

/// The routes of a catalog; `waymark generate swift` writes the types.
public nonisolated protocol WaymarkRoute: Hashable, Sendable {
    /// The catalog that the type was generated from.
    static var catalogVersion: String { get }

    /// The route's name in the catalog.
    var name: String { get }

    /// The values as they stand in a plan.
    var parameters: ParameterContainer { get }

    /// Reads a destination; `nil` for a route that this version of the app does not know.
    ///
    /// - Throws: ``ParameterError`` where the route is known and a parameter is not.
    init?(name: String, parameters: ParameterContainer) throws
}

/// A route that this version of the app does not know, or knows with other parameters.
public nonisolated struct UnrecognizedRoute: Hashable, Sendable {
    /// The route's name.
    public let name: String

    /// Its values, as sent.
    public let parameters: ParameterContainer

    /// Creates a route from what was sent.
    public init(name: String, parameters: ParameterContainer) {
        self.name = name
        self.parameters = parameters
    }
}

/// A route that the app knows, or what was sent of one that it does not.
public nonisolated enum Recognized<Route: WaymarkRoute>: Hashable, Sendable {
    case known(Route)
    case unrecognized(UnrecognizedRoute)

    /// Reads a destination; whatever does not fit is unrecognized.
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

/// The way in which a destination appears over the one below it; open, since catalogs may gain one.
public nonisolated enum Presentation: Hashable, Sendable {
    case root, tab, push, sheet, bottomSheet, fullScreenCover, popover, alert, confirmationDialog

    /// One that the app defines, as the catalog's `custom:<name>` without the prefix, or one that this version of the
    /// app does not know.
    case custom(String)

    private static let named: [String: Presentation] = [
        "root": .root, "tab": .tab, "push": .push, "sheet": .sheet, "bottomSheet": .bottomSheet,
        "fullScreenCover": .fullScreenCover, "popover": .popover, "alert": .alert,
        "confirmationDialog": .confirmationDialog,
    ]

    /// Reads a name, whatever it is.
    public init(name: String) {
        if let known = Self.named[name] {
            self = known
        } else {
            let prefix = "custom:"
            self = .custom(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name)
        }
    }

    /// The name that stands in plans.
    public var name: String {
        switch self {
        case .custom(let name): "custom:" + name
        default: Self.named.first { $0.value == self }?.key ?? ""
        }
    }
}

/// One element of a navigation stack.
public nonisolated struct Destination<Route: WaymarkRoute>: Hashable, Sendable {
    /// The route with its values, if the app knows it.
    public let route: Recognized<Route>

    /// The values as sent, those that the app does not know among them.
    public let parameters: ParameterContainer

    /// The presentation's name, as sent.
    private let presentationName: String

    /// The way in which it appears.
    public var presentation: Presentation { Presentation(name: presentationName) }

    /// Creates a destination of a route that the app knows.
    public init(_ route: Route, presentation: Presentation) {
        self.route = .known(route)
        self.parameters = route.parameters
        self.presentationName = presentation.name
    }

    /// Creates a destination from what stands in a plan.
    public init(route name: String, presentation: String, parameters: ParameterContainer = ParameterContainer()) {
        self.route = Recognized(name: name, parameters: parameters)
        self.parameters = parameters
        self.presentationName = presentation
    }
}

nonisolated extension Destination: Codable {
    private enum CodingKeys: String, CodingKey { case route, presentation, parameters }

    /// Reads what was sent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            route: try container.decode(String.self, forKey: .route),
            presentation: try container.decode(String.self, forKey: .presentation),
            parameters: try container.decodeIfPresent(ParameterContainer.self, forKey: .parameters)
                ?? ParameterContainer()
        )
    }

    /// Writes it as it was sent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(route.name, forKey: .route)
        try container.encode(presentationName, forKey: .presentation)
        try container.encode(parameters, forKey: .parameters)
    }
}

/// The way from the stack that the app shows to another.
public nonisolated struct Transition<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// The number of destinations that stay, from the root on.
    public let keep: Int

    /// The number that are dismissed, from the top down.
    public let dismiss: Int

    /// The destinations to present then, in order.
    public let present: [Destination<Route>]

    /// The index of the first destination shown that the server does not know; it and all over it are dismissed.
    public let unknownFrom: Int?

    /// Creates a transition from its parts.
    public init(keep: Int, dismiss: Int, present: [Destination<Route>], unknownFrom: Int? = nil) {
        self.keep = keep
        self.dismiss = dismiss
        self.present = present
        self.unknownFrom = unknownFrom
    }
}

/// The answer to a link that the user may follow.
public nonisolated struct RoutePlan<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// What it takes to go there, and what the user has.
    public struct Levels: Hashable, Sendable, Codable {
        /// The level that the stack requires.
        public let required: String

        /// The level that the user has.
        public let user: String
    }

    /// The link as sent.
    public let link: String

    /// The one spelling that all equivalent links share.
    public let canonicalLink: String?

    /// What it takes to go there, and what the user has.
    public let authorizationLevel: Levels?

    /// The destinations, root first.
    public let stack: [Destination<Route>]

    /// The fragment, where nothing used it.
    public let unusedFragment: String?

    /// The query pairs that no destination used: a name, and a value or none.
    public let unusedQuery: [[String?]]?

    /// The versions of the app that the stack takes, by platform, such as `["ios": "3.2"]`, where the request names no app.
    public let requiresApp: [String: String]?

    /// The segments that no route matched, where the request accepts a part.
    public let unresolved: [String]?

    /// The way from the stack that was sent.
    public let transition: Transition<Route>?

    /// The catalog that the server answered from.
    public let catalogVersion: String

    /// The stack below the first destination that this version of the app does not know.
    public var recognizedPrefix: [Destination<Route>] { Array(stack.prefix { $0.route.known != nil }) }

    /// The first destination that this version of the app does not know.
    public var firstUnrecognized: UnrecognizedRoute? {
        for destination in stack {
            if case .unrecognized(let route) = destination.route { return route }
        }
        return nil
    }
}

/// The refusal of a link, and where the user obtains the level that is missing.
public nonisolated struct Denial<Route: WaymarkRoute>: Hashable, Sendable, Codable {
    /// The place where a user obtains a level.
    public struct Gate: Hashable, Sendable, Codable {
        /// The level that is obtained there.
        public let level: String

        /// The gate's link.
        public let link: String

        /// The stack to present at once; empty where the app is too old for it.
        public let stack: [Destination<Route>]

        /// The way to it from the stack that was sent.
        public let transition: Transition<Route>?

        /// Reads a gate; one that the app is too old for has no stack.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            level = try values.decode(String.self, forKey: .level)
            link = try values.decode(String.self, forKey: .link)
            stack = try values.decodeIfPresent([Destination<Route>].self, forKey: .stack) ?? []
            transition = try values.decodeIfPresent(Transition<Route>.self, forKey: .transition)
        }
    }

    /// The first destination that requires the level.
    public let route: String

    /// The level that the link requires.
    public let requiredLevel: String

    /// The level that the user has.
    public let userLevel: String

    /// The place to obtain the lowest level that the user lacks.
    public let gate: Gate?

    /// The token that resolves the link again afterwards.
    public let continuation: String?
}

/// An answer that is neither a plan nor a refusal (RFC 9457).
public nonisolated struct Problem: Error, Hashable, Sendable {
    /// The code, such as `no-matching-route`.
    public let code: String

    /// The status of the answer.
    public let status: Int

    /// What happened, for people.
    public let detail: String

    /// All members, by name.
    public let members: [String: JSONValue]

    /// Reads the members of a problem; those that are missing are empty.
    public init(members: [String: JSONValue], status: Int) {
        let text = { (key: String) in members[key].flatMap(String.init(json:)) ?? "" }
        let prefix = "urn:waymark:problem:"
        let type = text("type")
        code = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
        detail = text("detail")
        self.status = status
        self.members = members
    }

    /// What an app that is too old for the link must become; `nil` of other problems.
    public var appUpdate: AppUpdate? {
        let text = { (key: String) in members[key].flatMap(String.init(json:)) }
        guard code == "app-update-required", let route = text("route"), let platform = text("platform"),
            let requiredVersion = text("requiredVersion"), let appVersion = text("appVersion")
        else { return nil }
        return AppUpdate(
            route: route,
            platform: platform,
            requiredVersion: requiredVersion,
            appVersion: appVersion,
            storeLink: text("storeLink")
        )
    }
}

/// The version of the app that a link takes.
public nonisolated struct AppUpdate: Hashable, Sendable {
    /// The first destination that the app is too old for.
    public let route: String

    /// The platform of the app that asks.
    public let platform: String

    /// The least version that the stack takes.
    public let requiredVersion: String

    /// The version of the app that asks.
    public let appVersion: String

    /// The app's page in the store, where the catalog knows it.
    public let storeLink: String?
}

/// What the server says of a link.
public nonisolated enum Answer<Route: WaymarkRoute>: Hashable, Sendable {
    case plan(RoutePlan<Route>)
    case denied(Denial<Route>)
    case problem(Problem)
}
