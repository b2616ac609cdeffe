extension Resolver {
    /// Returns the refusal of a link to an app that does not have it or is too old for it, or `nil` if the app may open it.
    ///
    /// The owner is the app of the link's stack, or `nil` for a stack of every app.
    func refusal(
        of resolved: ResolvedLink,
        to version: AppVersion,
        owner: AppIndex?,
        required: RequiredApps,
        for request: ResolutionRequest,
        from start: StartingPoint
    ) -> Resolution? {
        let app = catalog.apps.index(of: version)
        if let owner, let app, app != owner {
            return .otherApp(otherApp(owner, insteadOf: version, for: resolved, of: request, from: start))
        }
        guard let number = required[version.platform, of: app], !required.allow(version, of: app) else { return nil }
        return .outdated(update(of: version, app: app, to: number, for: resolved, from: start))
    }
}

extension Resolver {
    /// Returns the app of a link's stack, or `nil` if it is a stack of every app.
    ///
    /// No stack has two apps. The stack that is shown counts before the routes that redirected to it.
    ///
    /// - Complexity: linear in the destinations of a catalog that divides its apps, otherwise constant.
    func app(of resolved: ResolvedLink) -> AppIndex? {
        catalog.dividesApps ? firstInOneApp(of: resolved).flatMap { graph.edges[$0.edge].app } : nil
    }

    /// Returns the first destination that is in one app alone.
    private func firstInOneApp(of resolved: ResolvedLink) -> StackElement? {
        func isInOneApp(_ element: StackElement) -> Bool { graph.edges[element.edge].app != nil }
        return resolved.stack.first(where: isInOneApp)
            ?? resolved.redirect?.all.lazy.compactMap { $0.passed.first(where: isInOneApp) }.first
    }

    private func otherApp(
        _ owner: AppIndex,
        insteadOf version: AppVersion,
        for resolved: ResolvedLink,
        of request: ResolutionRequest,
        from start: StartingPoint
    ) -> OtherApp {
        let route = firstInOneApp(of: resolved).map { graph.routes[graph.packed[$0.edge].child].name }
        let base = resolved.redirect?.last.base ?? start.base
        let canonicalLink =
            canonicalLink(of: resolved.stack, under: prefix(opening: owner, insteadOf: base))
            ?? canonicalLink(of: resolved.stack, under: base)
        let signature = demand(of: resolved, from: start, canonicalLink: canonicalLink)
        let carriesSignature = signature != nil && request.target == nil && !request.link.isRelative
        return OtherApp(
            route: route ?? "",
            owner: catalog.apps.name(of: owner),
            app: version,
            link: carriesSignature ? request.link.text : canonicalLink?.asText,
            storeLink: catalog.apps[owner].storeLink(on: version.platform),
            signature: signature
        )
    }
}

extension Resolver {
    /// Returns the prefix of a link that opens an app: the given one, unless its scheme opens another app.
    ///
    /// Then it is the first https origin, whose links the association files hand to their app, or else the scheme of the app.
    private func prefix(opening owner: AppIndex, insteadOf base: LinkPrefix) -> LinkPrefix {
        func isScheme(_ scheme: ByteText, of app: DeclaredApp) -> Bool {
            app.apple.contains { $0.scheme?.bytewise == scheme }
        }
        let (scheme, secure, app) = (catalog.scheme(of: base.origin), "https".bytewise, catalog.apps[owner])
        guard catalog.apps.all.contains(where: { isScheme(scheme, of: $0) }), !isScheme(scheme, of: app) else {
            return base
        }
        let keys = catalog.originKeys.indices.filter { !catalog.originKeys[$0].isWildcard }
        let web = keys.first { catalog.scheme(of: $0) == secure }
        let own = keys.first { isScheme(catalog.scheme(of: $0), of: app) }
        return (web ?? own).map { LinkPrefix(origin: $0) } ?? base
    }
}

extension Resolver {
    /// Returns the combined app versions that some destinations require.
    private func requiredApps(of stack: some Sequence<StackElement>) -> RequiredApps {
        stack.reduce(.none) { $0.merged(with: graph.edges[$1.edge].requirements.since) }
    }

    /// Returns the app versions that a link requires, for the destinations of the link and of its redirects.
    func requiredApps(of resolved: ResolvedLink) -> RequiredApps {
        catalog.asksForApps ? requiredApps(of: resolved.counted) : .none
    }

    /// Returns whether a version of an app has all destinations of a stack.
    func allows(_ version: AppVersion, in stack: some Sequence<StackElement>) -> Bool {
        requiredApps(of: stack).allow(version, of: catalog.apps.index(of: version))
    }

    /// Returns the denial of a link to an app that is too old for it.
    private func update(
        of version: AppVersion,
        app: AppIndex?,
        to number: VersionNumber,
        for resolved: ResolvedLink,
        from start: StartingPoint
    ) -> AppUpdate {
        let route = resolved.counted.lazy.map { graph.edges[$0.edge] }
            .first { $0.requirements.since[version.platform, of: app] == number }
            .map { graph.routes[$0.child].name }
        return AppUpdate(
            route: route ?? "",
            app: version,
            requiredVersion: number,
            storeLink: catalog.apps.app(of: app).storeLink(on: version.platform),
            signature: demand(of: resolved, from: start)
        )
    }
}
