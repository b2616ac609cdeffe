/// Resolves a link for a user's level against a catalog.
///
/// A pure function of its arguments, and the one engine behind every answer of this package. It parses nothing and
/// reads no clock: the link is well-formed already, and the caller provides the level. Order: origin, current stack,
/// path, query, depth, version of the app, level.
///
/// ```swift
/// switch resolve(ResolutionRequest(link: link), userLevel: level, catalog: catalog) {
/// case .plan(let plan): present(plan.stack)
/// case .denial(let denial): present(denial.gate?.stack ?? [])
/// case .outdated(let update): ask(for: update.requiredVersion)
/// case .failure(let failure): report(failure)
/// }
/// ```
///
/// - Complexity: linear in the link's segments times the candidates tried at each, plus the current stack; independent
///   of the catalog's size.
package func resolve(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Resolution {
    let resolver = Resolver(catalog)
    do throws(ResolutionError) {
        let start = try resolver.startingPoint(of: request)
        let resolved = try resolver.stack(for: request, from: start)
        return resolver.resolution(of: resolved, for: request, from: start, userLevel: userLevel)
    } catch {
        return .failure(error)
    }
}

extension Resolver {
    /// Returns the answer to a link that leads somewhere: whether the app and the user may go there.
    @inline(__always)
    func resolution(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        userLevel: AuthorizationLevel
    ) -> Resolution {
        let required = requiredLevel(of: resolved)
        var requiredApps = RequiredApps.none
        if catalog.asksForApps {
            requiredApps = self.requiredApps(of: resolved)
            if let app = request.app {
                guard requiredApps.allow(app) else { return .outdated(update(of: app, for: resolved, from: start)) }
                // Only a request that does not name its app needs the required versions.
                requiredApps = .none
            }
        }
        guard required <= userLevel else {
            return .denial(
                denial(
                    of: resolved,
                    requiredLevel: required,
                    userLevel: userLevel,
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
                requiredLevel: required,
                userLevel: userLevel,
                requiresApp: requiredApps
            )
        )
    }
}
