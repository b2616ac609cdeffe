/// One route as the catalog's file declares it.
package struct RouteDefinition: Sendable {
    /// The route's name, unique in its catalog.
    package let name: Located<String>

    /// The route's address in links.
    package let address: Located<RouteAddress>

    /// The alternative paths to the route, with the parameters of the first path, which resolve but are never printed.
    package let aliases: [Located<PathPattern>]

    /// The parameters, in the order declared.
    package internal(set) var parameters: [Located<Parameter>]

    /// The requirements of the route.
    package let requirements: Requirements

    /// The named app that has the route, or `nil` for every app.
    package let app: AppIndex?

    /// The routes that this one can present.
    ///
    /// The edges of groups are among them.
    package internal(set) var opens: [EdgeDefinition]

    /// The names of the groups whose edges the route has, each once, in the order declared.
    package let groups: [String]

    /// The description for readers of the catalog.
    package let description: String?

    /// The parameter, read from a query key, that holds the link to resolve instead, or `nil` if the route is shown.
    package let link: Located<Parameter>?

    /// The route's page for browsers and previews.
    package let page: RoutePage?

    /// Whether links to the route, and to the routes that it opens, must be signed.
    package internal(set) var isSigned: Bool

    /// The terms of short links to the route, or `nil` if it has none.
    package let shortLink: ShortLinkTerms?

    /// The locations of the declaration's keys.
    package let keys: KeyLocations

    /// Creates a declaration from its parts.
    package init(
        name: Located<String>,
        address: Located<RouteAddress>,
        aliases: [Located<PathPattern>] = [],
        parameters: [Located<Parameter>] = [],
        requirements: Requirements = Requirements(),
        app: AppIndex? = nil,
        opens: [EdgeDefinition] = [],
        groups: [String] = [],
        description: String? = nil,
        link: Located<Parameter>? = nil,
        page: RoutePage? = nil,
        isSigned: Bool = false,
        shortLink: ShortLinkTerms? = nil,
        keys: KeyLocations = .none
    ) {
        self.name = name
        self.address = address
        self.aliases = aliases
        self.parameters = parameters
        self.requirements = requirements
        self.app = app
        self.opens = opens
        self.groups = groups
        self.description = description
        self.link = link
        self.page = page
        self.isSigned = isSigned
        self.shortLink = shortLink
        self.keys = keys
    }
}

/// The requirements of a destination on the user and the app.
///
/// A route has requirements, and so has each edge to it. Both apply. A stack has the requirements of all its
/// destinations.
package struct Requirements: Hashable, Sendable {
    /// The level and the grants that the user needs.
    package let access: Requirement

    /// The first app versions that have the destination.
    package let since: RequiredApps

    /// Creates requirements, which are empty by default.
    package init(
        authorizationLevel: AuthorizationLevel = .lowest,
        grants: GrantSet = [],
        since: RequiredApps = .none
    ) {
        self.init(access: Requirement(level: authorizationLevel, grants: grants), since: since)
    }

    private init(access: Requirement, since: RequiredApps) {
        self.access = access
        self.since = since
    }

    /// The level that the user needs.
    package var authorizationLevel: AuthorizationLevel { access.level }

    /// The grants that the user needs.
    package var grants: GrantSet { access.grants }

    /// Returns the combined requirements: the higher level, the grants of both and the later versions.
    package func merged(with other: Requirements) -> Requirements {
        Requirements(access: access.joined(with: other.access), since: since.merged(with: other.since))
    }
}

/// The address of a route in a link: path segments, or the presence of a query key.
package enum RouteAddress: Hashable, Sendable {
    /// Path segments, or a container's empty pattern, which adds a destination and consumes no segment.
    case path(PathPattern)

    /// A query key, which opens the route on top of the stack if it is present.
    case query(String)
}

extension RouteAddress {
    /// The path, as a list of one, empty for a query key.
    var patterns: [PathPattern] {
        if case .path(let pattern) = self { [pattern] } else { [] }
    }
}

/// One edge as the catalog's file declares it: the opened route and its presentation.
///
/// Declarations of the edge override the route's. The requirements of both apply. Several edges from one parent to one
/// route are a list of alternatives, in the order declared.
package struct EdgeDefinition: Sendable {
    /// The name of the route that is opened.
    package let route: Located<String>

    /// The presentation of the route.
    package let presentation: Presentation

    /// Whether the parent shows this child by default.
    package let isInitial: Bool

    /// Whether links, and not only the app, can take the edge.
    package let isLinkable: Bool

    /// The child's address here, if it differs from the route's.
    package let address: Located<RouteAddress>?

    /// The other paths here, if they differ from the route's.
    package let aliases: [Located<PathPattern>]?

    /// The parameters here, if they differ from the route's.
    package internal(set) var parameters: [Located<Parameter>]?

    /// The requirements of this edge.
    package let requirements: Requirements

    /// The named app that has the child here, or `nil` for the app of the route.
    package let app: AppIndex?

    /// The name of the group that declares the edge, or `nil` for an edge of `opens` or `entry`.
    package private(set) var group: String?

    /// The locations of the declaration's keys.
    package let keys: KeyLocations

    /// Creates a declaration from its parts.
    package init(
        route: Located<String>,
        presentation: Presentation,
        isInitial: Bool = false,
        isLinkable: Bool = true,
        address: Located<RouteAddress>? = nil,
        aliases: [Located<PathPattern>]? = nil,
        parameters: [Located<Parameter>]? = nil,
        requirements: Requirements = Requirements(),
        app: AppIndex? = nil,
        keys: KeyLocations = .none
    ) {
        self.route = route
        self.presentation = presentation
        self.isInitial = isInitial
        self.isLinkable = isLinkable
        self.address = address
        self.aliases = aliases
        self.parameters = parameters
        self.requirements = requirements
        self.app = app
        self.keys = keys
    }

    /// Returns the same declaration as an edge of a group.
    package func inGroup(_ name: String) -> EdgeDefinition {
        var edge = self
        edge.group = name
        return edge
    }
}

extension [EdgeDefinition] {
    /// Returns the edges as one mapping would list them: edges to one route together, at the place of the first.
    ///
    /// A route's own edges and the edges of its groups may open the same route. They are alternatives, in their order.
    ///
    /// - Complexity: linear in the edges.
    package var listedByRoute: [EdgeDefinition] {
        var places: [ByteText: Int] = [:]
        var lists: [[EdgeDefinition]] = []
        for edge in self {
            let place = places[edge.route.value.bytewise] ?? lists.count
            if place == lists.count {
                places[edge.route.value.bytewise] = place
                lists.append([])
            }
            lists[place].append(edge)
        }
        return lists.flatMap { $0 }
    }

    /// The groups that declare some of the edges, each once, in the order of their first edges.
    package var groups: [String] {
        var known: Set<ByteText> = []
        return compactMap { $0.group }.filter { known.insert($0.bytewise).inserted }
    }
}

/// The terms of the short links to a route (`shortLink`).
package struct ShortLinkTerms: Hashable, Sendable {
    /// The allowed values of ``length``.
    package static let lengths = 3...128

    /// The minimum length of a code, or `nil` if any length is allowed.
    package let length: Int?

    /// The maximum lifetime of a link, or `nil` for any.
    package let life: LinkLife?

    /// Creates terms from their parts.
    package init(length: Int? = nil, life: LinkLife? = nil) {
        self.length = length
        self.life = life
    }
}

/// A span of time in whole units, such as `30d`.
package struct LinkLife: Hashable, Sendable {
    /// The units with their seconds, the longest first.
    private static let units: [(name: UInt8, seconds: Int64)] = [
        (UInt8(ascii: "w"), 604_800), (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3_600),
        (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
    ]

    /// The maximum: a hundred years, in seconds.
    package static let maximumSeconds: Int64 = 36_525 * 86_400

    /// The length in seconds.
    package let seconds: Int64

    /// Reads a whole number with a unit: `w`, `d`, `h`, `m` or `s`.
    ///
    /// - Returns: `nil` for any other text, for zero, and for more than a hundred years.
    package init?(_ text: String) {
        guard let unit = Self.units.first(where: { $0.name == text.utf8.last }),
            let count = DecimalText.parseInt64(text.utf8.dropLast()), count > 0
        else { return nil }
        let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit.seconds)
        guard !isTooLong, seconds <= Self.maximumSeconds else { return nil }
        self.seconds = seconds
    }

    /// The text in the longest unit that divides the span.
    package var text: String {
        let unit = Self.units.first { seconds.isMultiple(of: $0.seconds) }
        return unit.map { "\(seconds / $0.seconds)\(Character(UnicodeScalar($0.name)))" } ?? ""
    }
}
