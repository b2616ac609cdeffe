/// Resolves a link for a user of some level against a catalog.
///
/// A pure function of its arguments, and the one engine behind every answer of this package. It parses nothing
/// and reads no clock: the link is well-formed already, and the level is the caller's. Order: origin, path,
/// query, depth, level.
///
/// ```swift
/// switch resolve(ResolutionRequest(link: link), userLevel: .signedInUser, catalog: catalog) {
/// case .plan(let plan): present(plan.stack)
/// case .denial(let denial): present(denial.gate?.stack ?? [])
/// case .failure(let failure): report(failure)
/// }
/// ```
///
/// - Complexity: linear in the link's segments times the candidates tried at each; the size of the catalog does
///   not matter.
public func resolve(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Resolution {
    let resolver = Resolver(catalog)
    let resolved: ResolvedLink
    do throws(ResolverFailure) {
        resolved = try resolver.stack(of: request.link)
    } catch {
        return .failure(resolver.report(error, on: request.link))
    }
    let required = resolver.requiredLevel(of: resolved.stack)
    guard required <= userLevel else {
        return .denial(resolver.denial(of: request.link, resolved.stack, required: required, userLevel: userLevel))
    }
    return .plan(
        RoutePlan(
            link: request.link,
            canonicalLink: resolver.canonicalLink(of: request.link, resolved.stack),
            requiredLevel: required,
            userLevel: userLevel,
            stack: resolver.destinations(resolved.stack),
            unusedQuery: resolved.unusedQuery
        )
    )
}
