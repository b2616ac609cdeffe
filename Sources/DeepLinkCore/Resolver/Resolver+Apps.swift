extension Resolver {
    /// The versions of the app that some destinations take together.
    func requiredApps(of stack: some Sequence<StackElement>) -> RequiredApps {
        stack.reduce(.none) { $0.merged(with: graph.edges[$1.edge].requirements.since) }
    }

    /// The versions of the app that a link takes: what it adds, and what it passed on the way there.
    func requiredApps(of resolved: ResolvedLink) -> RequiredApps {
        requiredApps(of: (resolved.redirect?.all.flatMap(\.passed) ?? []) + resolved.added)
    }

    /// The refusal of a link to an app that is too old for it.
    func update(of app: AppVersion, for resolved: ResolvedLink) -> AppUpdate {
        let elements = (resolved.redirect?.all.flatMap(\.passed) ?? []) + resolved.added
        let required = requiredApps(of: elements)[app.platform] ?? app.number
        let route = elements.lazy.map { graph.edges[$0.edge] }
            .first { $0.requirements.since[app.platform] == required }
            .map { graph.routes[$0.child].name }
        return AppUpdate(
            route: route ?? "",
            app: app,
            requiredVersion: required,
            storeLink: catalog.storeLink(on: app.platform)
        )
    }
}
