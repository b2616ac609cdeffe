extension Resolver {
    /// Returns the combined app versions that some destinations require.
    func requiredApps(of stack: some Sequence<StackElement>) -> RequiredApps {
        stack.reduce(.none) { $0.merged(with: graph.edges[$1.edge].requirements.since) }
    }

    /// Returns the app versions that a link requires: for the destinations that it adds, and for those of its
    /// redirects.
    func requiredApps(of resolved: ResolvedLink) -> RequiredApps {
        requiredApps(of: (resolved.redirect?.all.flatMap(\.passed) ?? []) + resolved.added)
    }

    /// Returns the denial of a link to an app that is too old for it.
    func update(of app: AppVersion, for resolved: ResolvedLink, from start: StartingPoint) -> AppUpdate {
        let elements = (resolved.redirect?.all.flatMap(\.passed) ?? []) + resolved.added
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
