/// Resolves a link for a user's permissions against a catalog.
///
/// A pure function of its arguments, and the one engine behind every answer of this package. It parses nothing and
/// reads no clock: the link is already well-formed, and the caller provides the permissions. The order of the steps is:
/// origin, current stack, path, query, depth, version of the app, level and grants.
///
/// ```swift
/// switch resolve(ResolutionRequest(link: link), permissions: permissions, catalog: catalog) {
/// case .plan(let plan): present(plan.stack)
/// case .denial(let denial): present(denial.gate?.stack ?? [])
/// case .outdated(let update): ask(for: update.requiredVersion)
/// case .failure(let failure): report(failure)
/// }
/// ```
///
/// - Complexity: linear in the link's segments times the candidates tried at each, plus the current stack, and
///   independent of the catalog's size.
package func resolve(
    _ request: ResolutionRequest,
    permissions: Permissions,
    catalog: RouteCatalog
) -> Resolution {
    let resolver = Resolver(catalog)
    do throws(ResolutionError) {
        let start = try resolver.startingPoint(of: request)
        let resolved = try resolver.stack(for: request, from: start)
        return resolver.resolution(of: resolved, for: request, from: start, permissions: permissions)
    } catch {
        return .failure(error)
    }
}

/// Resolves a link for a user with a level and no grants.
///
/// - Complexity: the same as for ``resolve(_:permissions:catalog:)``.
package func resolve(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Resolution {
    resolve(request, permissions: Permissions(level: userLevel), catalog: catalog)
}

extension Resolver {
    /// Returns the answer to a link with a stack: whether the app and the user may open it.
    @inline(__always)
    func resolution(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        permissions: Permissions
    ) -> Resolution {
        let requirement = requirement(of: resolved)
        var requiredApps = RequiredApps.none
        if catalog.asksForApps {
            requiredApps = self.requiredApps(of: resolved)
            if let app = request.app {
                guard requiredApps.allow(app) else { return .outdated(update(of: app, for: resolved, from: start)) }
                // Only a request without an app needs the required versions.
                requiredApps = .none
            }
        }
        guard requirement.isMet(by: permissions) else {
            return .denial(
                denial(
                    of: resolved,
                    requirement: requirement,
                    permissions: permissions,
                    app: request.app,
                    from: start
                )
            )
        }
        return .plan(
            plan(
                of: resolved,
                for: request,
                from: start,
                requirement: requirement,
                userLevel: permissions.level,
                requiresApp: requiredApps
            )
        )
    }
}
