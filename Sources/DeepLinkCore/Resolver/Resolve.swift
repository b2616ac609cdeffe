/// Resolves a link for a user of some level against a catalog.
///
/// A pure function of its arguments, and the one engine behind every answer of this package. It parses nothing
/// and reads no clock: the link is well-formed already, and the level is the caller's. Order: origin, current
/// stack, path, query, depth, version of the app, level.
///
/// ```swift
/// switch resolve(ResolutionRequest(link: link), userLevel: .signedInUser, catalog: catalog) {
/// case .plan(let plan): present(plan.stack)
/// case .denial(let denial): present(denial.gate?.stack ?? [])
/// case .outdated(let update): ask(for: update.requiredVersion)
/// case .failure(let failure): report(failure)
/// }
/// ```
///
/// - Complexity: linear in the link's segments times the candidates tried at each, plus the current stack; the size
///   of the catalog does not matter.
public func resolve(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Resolution {
    let resolver = Resolver(catalog)
    do throws(ResolutionError) {
        let start = try resolver.startingPoint(of: request)
        let resolved = try resolver.stack(for: request, from: start)
        let required = resolver.requiredLevel(of: resolved)
        var requiredApps = RequiredApps.none
        if catalog.asksForApps {
            requiredApps = resolver.requiredApps(of: resolved)
            if let app = request.app {
                guard requiredApps.allow(app) else { return .outdated(resolver.update(of: app, for: resolved)) }
                // Only who does not say which app it is has to be told.
                requiredApps = .none
            }
        }
        guard required <= userLevel else {
            return .denial(
                resolver.denial(
                    of: resolved,
                    requiredLevel: required,
                    userLevel: userLevel,
                    app: request.app,
                    from: start
                )
            )
        }
        return .plan(
            resolver.plan(
                of: resolved,
                for: request,
                from: start,
                required,
                userLevel,
                requiresApp: requiredApps
            )
        )
    } catch {
        return .failure(error)
    }
}
