extension Resolver {
    /// Returns the level that some destinations require together.
    private func requiredLevel(of stack: some Sequence<StackElement>) -> AuthorizationLevel {
        var level = AuthorizationLevel.lowest
        for element in stack { level = max(level, graph.packed[element.edge].authorizationLevel) }
        return level
    }

    /// Returns the level that a link requires, for the destinations of the link and of its redirects.
    @inline(__always)
    private func requiredLevel(of resolved: ResolvedLink) -> AuthorizationLevel {
        let level = requiredLevel(of: resolved.added)
        guard let redirect = resolved.redirect else { return level }
        return redirect.all.reduce(level) { max($0, self.requiredLevel(of: $1.passed)) }
    }

    /// Returns the grants that a link requires, for the destinations of the link and of its redirects.
    private func requiredGrants(of resolved: ResolvedLink) -> GrantSet {
        var grants = GrantSet()
        for element in resolved.added { grants.formUnion(graph.packed[element.edge].grants) }
        for redirect in resolved.redirect?.all ?? [] {
            for element in redirect.passed { grants.formUnion(graph.packed[element.edge].grants) }
        }
        return grants
    }

    /// Returns the level and the grants that a link requires, for the destinations of the link and of its redirects.
    @inline(__always)
    func requirement(of resolved: ResolvedLink) -> Requirement {
        let level = requiredLevel(of: resolved)
        return Requirement(level: level, grants: catalog.asksForGrants ? requiredGrants(of: resolved) : [])
    }

    /// Returns the denial of a link that requires more than the user has.
    func denial(
        of resolved: ResolvedLink,
        requirement: Requirement,
        permissions: Permissions,
        app: AppVersion?,
        from start: StartingPoint
    ) -> Denial {
        let gate = catalog.gates.first { $0.gives.isMissing(in: permissions, for: requirement) }
        // Without a gate, a level counts first.
        let lacksGrant = gate.map { $0.gives.grant != nil } ?? (requirement.level <= permissions.level)
        let missing = lacksGrant ? requirement.grants.subtracting(permissions.grants) : []
        let passed = resolved.redirect?.all.flatMap { $0.passed } ?? []
        let edge = (passed + resolved.added).lazy.map { graph.edges[$0.edge] }
            .first { edge in
                lacksGrant
                    ? !edge.requirements.grants.isDisjoint(with: missing)
                    : edge.authorizationLevel == requirement.level
            }
        return Denial(
            routeNumber: edge?.child,
            topRouteNumber: resolved.stack.last.map { graph.packed[$0.edge].child },
            requiredLevel: requirement.level,
            userLevel: permissions.level,
            missing: missing,
            gate: gate.map { gate in
                let over = gate.layer.isEmpty ? nil : stack(of: gate, over: start.shown)
                let stack = over ?? gate.stack
                let isShown = app.map(requiredApps(of: over == nil ? stack : gate.layer).allow) ?? true
                return GateDirections(
                    gives: gate.gives,
                    link: canonicalLink(of: gate.stack, under: start.base)?.asText ?? gate.link,
                    stack: isShown ? graph.destinations(stack) : nil,
                    transition: isShown ? start.shown?.transition(to: stack, in: graph) : nil
                )
            },
            signature: demand(of: resolved, from: start),
            catalog: catalog
        )
    }

    /// Returns the stack of a gate over the app's current stack.
    ///
    /// - Returns: `nil` if the current stack is unknown, or the result would be too deep to be read again.
    private func stack(of gate: Gate, over shown: ShownStack?) -> [StackElement]? {
        guard let shown, let stack = graph.stack(presenting: gate.layer, over: shown.elements), !isTooDeep(stack)
        else { return nil }
        return stack
    }
}

extension Resolver {
    /// Returns the combined app versions that some destinations require.
    func requiredApps(of stack: some Sequence<StackElement>) -> RequiredApps {
        stack.reduce(.none) { $0.merged(with: graph.edges[$1.edge].requirements.since) }
    }

    /// Returns the app versions that a link requires, for the destinations of the link and of its redirects.
    func requiredApps(of resolved: ResolvedLink) -> RequiredApps {
        requiredApps(of: (resolved.redirect?.all.flatMap { $0.passed } ?? []) + resolved.added)
    }

    /// Returns the denial of a link to an app that is too old for it.
    func update(of app: AppVersion, for resolved: ResolvedLink, from start: StartingPoint) -> AppUpdate {
        let elements = (resolved.redirect?.all.flatMap { $0.passed } ?? []) + resolved.added
        let required = requiredApps(of: elements)[app.platform] ?? app.number
        let route = elements.lazy.map { graph.edges[$0.edge] }
            .first { $0.requirements.since[app.platform] == required }
            .map { graph.routes[$0.child].name }
        return AppUpdate(
            route: route ?? "",
            app: app,
            requiredVersion: required,
            storeLink: catalog.storeLink(on: app.platform),
            signature: demand(of: resolved, from: start)
        )
    }
}
