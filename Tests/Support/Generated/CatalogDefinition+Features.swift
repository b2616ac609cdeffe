package import DeepLinkCore

extension CatalogDefinition {
    /// The name of every inherited parameter of a generated catalog.
    package static let inheritedName: Identifier = "inherited"

    /// Returns the definition with routes that inherit values from routes below them, as many as a catalog takes.
    ///
    /// A route without parameters gets one, so that there is a value.
    package func inheriting(using generator: inout SeededGenerator) -> CatalogDefinition {
        var definition = self
        for place in routes.indices where routes[place].parameterNames.isEmpty && routes[place].link == nil {
            definition.routes[place] = routes[place]
                .with(parameters: [Located(Self.own, at: CatalogGenerator.location)])
        }
        if (try? RouteCatalog(definition)) == nil { definition = self }
        for place in routes.indices {
            let route = routes[place].name.value
            let below = definition.routes.filter { definition.reaches(route, from: $0.name.value) }
            let values = below.flatMap { route in
                route.parameterNames.map { Inheritance(route: route.name.value, parameter: $0) }
            }
            guard !values.isEmpty else { continue }
            let inherited = Parameter(
                name: Self.inheritedName,
                type: .scalar(.string(min: nil, max: nil, pattern: nil)),
                inheritance: generator.pick(values)
            )
            var other = definition
            other.routes[place] = definition.routes[place]
                .with(
                    parameters: definition.routes[place].parameters
                        + [Located(inherited, at: CatalogGenerator.location)]
                )
            // Some values have several types, and some come from themselves.
            if (try? RouteCatalog(other)) != nil { definition = other }
        }
        return definition
    }

    private static let own = Parameter(
        name: "own",
        type: .scalar(.string(min: nil, max: nil, pattern: nil)),
        defaultValue: .string("default")
    )

    /// The definition without inherited parameters.
    package var withoutInheritance: CatalogDefinition {
        var definition = self
        definition.routes = routes.map { route in
            route.with(parameters: route.parameters.filter { $0.value.inheritance == nil })
        }
        return definition
    }

    /// The definition with every second route open to everyone, unless a way to it requires more.
    package var requiringLess: CatalogDefinition {
        var definition = self
        for place in stride(from: 0, to: routes.count, by: 2) {
            definition.routes[place] = routes[place].with(requirements: Requirements())
        }
        return definition
    }

    /// Whether some parameter is inherited.
    package var inherits: Bool {
        routes.contains { $0.parameters.contains { $0.value.inheritance != nil } }
    }

    /// Returns whether some way leads from a route to another, or to itself.
    private func reaches(_ name: String, from start: String) -> Bool {
        var seen: Set<String> = []
        var todo = [start]
        while let route = todo.popLast().flatMap({ next in routes.first { $0.name.value == next } }) {
            for opened in route.opens.map(\.route.value) where seen.insert(opened).inserted { todo.append(opened) }
        }
        return seen.contains(name)
    }
}

extension RouteDefinition {
    /// The names of the parameters, including undeclared ones in the path.
    fileprivate var parameterNames: [String] {
        var names = parameters.map(\.value.name)
        if case .path(let pattern) = address.value { names += pattern.segments.flatMap { $0.identifiers.map(\.text) } }
        return Set(names).sorted()
    }

    /// Returns the same route with other parameters, with other requirements, or for signed links.
    func with(
        parameters: [Located<Parameter>]? = nil,
        requirements: Requirements? = nil,
        isSigned: Bool? = nil
    ) -> RouteDefinition {
        RouteDefinition(
            name: name,
            address: address,
            aliases: aliases,
            parameters: parameters ?? self.parameters,
            requirements: requirements ?? self.requirements,
            opens: opens,
            description: description,
            link: link,
            page: page,
            isSigned: isSigned ?? self.isSigned
        )
    }
}
