import DeepLinkCore

/// The sample app's catalog (`Config/routes.yaml`), grown to any number of routes.
enum SampleCatalog {
    private struct InvalidName: Error {}

    private static let onboarded = AuthorizationLevel(rank: 1)
    private static let signedIn = AuthorizationLevel(rank: 2)
    private static let premium = AuthorizationLevel(rank: 3)
    private static let place = SourceLocation(file: "benchmark", line: 1, column: 1)

    /// Makes a catalog of so many routes; those beyond the sample app's stand beside its own, in every place that the
    /// measured link passes.
    static func make(routeCount: Int) throws -> RouteCatalog {
        var routes = try sampleApp()
        let parents = ["tabBar", "characters", "character"]
        let extra = try (0..<max(0, routeCount - routes.count))
            .map { index in
                let isLiteral = index.isMultiple(of: 3)
                return try route(
                    "extra\(index)",
                    path: isLiteral ? "extra\(index)" : "extra\(index)/{id}",
                    parameters: isLiteral ? [] : [try parameter("id", .int(min: nil, max: nil))]
                )
            }
        for (index, parent) in parents.enumerated() {
            guard let place = routes.firstIndex(where: { $0.name.value == parent }) else { continue }
            let children = extra.indices.filter { $0 % parents.count == index }
            routes[place] = adding(children.map { edge(extra[$0].name.value, .push) }, to: routes[place])
        }
        let entry = ["onboarding", "login", "tabBar"].map { edge($0, .root) }
        return try RouteCatalog(
            CatalogDefinition(
                version: "000000000000",
                origins: [
                    Located(Origin(scheme: "navigation", hosts: ["loremipsum.com"]), at: place),
                    Located(Origin(scheme: "https", hosts: ["loremipsum.com", "www.loremipsum.com"]), at: place),
                ],
                gates: [
                    GateDefinition(level: onboarded, path: Located("/onboarding", at: place)),
                    GateDefinition(level: signedIn, path: Located("/login", at: place)),
                    GateDefinition(level: premium, path: Located("/settings/profile", at: place)),
                ],
                entry: entry,
                routes: routes + extra
            )
        )
    }

    private static func sampleApp() throws -> [RouteDefinition] {
        let id = try parameter("id", .int(min: nil, max: nil))
        let title = try parameter("title", .string(min: nil, max: nil, pattern: nil), key: "sheet")
        let steps = [edge("step1", .push), edge("step2", .push)]
        return [
            try route("onboarding", opens: steps),
            try route("step1", opens: steps),
            try route("step2", opens: steps),
            try route("login", onboarded, opens: [edge("registration", .push)]),
            try route("registration", onboarded),
            try route(
                "tabBar",
                path: "",
                opens: [edge("characters", .tab, isInitial: true), edge("settings", .fullScreenCover)]
            ),
            try route("characters", signedIn, opens: [edge("character", .push)]),
            try route(
                "character",
                signedIn,
                path: "character/{id}",
                parameters: [id],
                opens: [edge("character", .push), edge("characterSheet", .sheet)]
            ),
            RouteDefinition(
                name: Located("characterSheet", at: place),
                address: Located(.query("sheet"), at: place),
                parameters: [Located(title, at: place)],
                requirements: Requirements(authorizationLevel: premium)
            ),
            try route("settings", signedIn, opens: [edge("profile", .push)]),
            try route("profile", signedIn),
        ]
    }

    private static func route(
        _ name: String,
        _ level: AuthorizationLevel = .lowest,
        path: String? = nil,
        parameters: [Parameter] = [],
        opens: [EdgeDefinition] = []
    ) throws -> RouteDefinition {
        RouteDefinition(
            name: Located(name, at: place),
            address: Located(.path(try PathPattern(path ?? name)), at: place),
            parameters: parameters.map { Located($0, at: place) },
            requirements: Requirements(authorizationLevel: level),
            opens: opens
        )
    }

    private static func parameter(_ name: String, _ type: ScalarType, key: String? = nil) throws -> Parameter {
        guard let identifier = Identifier(name) else { throw InvalidName() }
        return Parameter(name: identifier, type: .scalar(type), key: key)
    }

    private static func edge(_ route: String, _ presentation: Presentation, isInitial: Bool = false) -> EdgeDefinition {
        EdgeDefinition(route: Located(route, at: place), presentation: presentation, isInitial: isInitial)
    }

    private static func adding(_ edges: [EdgeDefinition], to route: RouteDefinition) -> RouteDefinition {
        RouteDefinition(
            name: route.name,
            address: route.address,
            parameters: route.parameters,
            requirements: route.requirements,
            opens: route.opens + edges
        )
    }
}
