/// Resolves a link as ``resolve(_:permissions:catalog:)`` does, and records the steps.
///
/// The steps come from the engine: the search is reported candidate by candidate. There are at most 1,000 of them. The
/// link is resolved once. Only the search is repeated, to record its steps.
///
/// - Complexity: the same as for resolving, and linear in the number of candidates tried.
package func explain(
    _ request: ResolutionRequest,
    permissions: Permissions,
    catalog: RouteCatalog
) -> Explanation {
    let resolver = Resolver(catalog)
    let start: StartingPoint
    do throws(ResolutionError) {
        start = try resolver.startingPoint(of: request)
    } catch {
        var writer = ExplanationWriter(
            RoutedPath(link: request.link, start: request.link.spans.path.start),
            catalog: catalog
        )
        writer.append(error)
        return Explanation(resolution: .failure(error), steps: writer.steps)
    }
    let redirects: [Redirect]
    let result: Result<ResolvedLink, ResolutionError>
    do throws(StackSearchError) {
        let resolved = try resolver.stack(of: start.path, from: start.current)
        redirects = resolved.redirect?.all ?? []
        result = .success(resolved)
    } catch {
        redirects = error.redirects
        result = Result { () throws(ResolutionError) in
            try resolver.part(for: request, from: start, insteadOf: error)
        }
    }
    var writer = ExplanationWriter(start.path, catalog: catalog)
    if let target = request.target { writer.follow(target, of: request.link) }
    let node = resolver.node(after: start.current)
    writer.append(MatchNarrator.narrate(start.path, from: node, in: catalog), from: node)
    for redirect in redirects {
        writer.appendUnusedFragment()
        writer.follow(redirect)
        writer.append(MatchNarrator.narrate(redirect.path, from: node, in: catalog), from: node)
    }
    let resolution: Resolution
    switch result {
    case .success(let resolved):
        resolution = resolver.resolution(of: resolved, for: request, from: start, permissions: permissions)
        writer.append(resolution, of: resolved, permissions: permissions, app: request.app)
        writer.appendUnusedFragment()
    case .failure(let failure):
        writer.appendUnusedFragment()
        writer.append(failure)
        resolution = .failure(failure)
    }
    return Explanation(resolution: resolution, steps: writer.steps)
}

/// The answer to a request, with the steps of the engine.
package struct Explanation: Equatable, Sendable {
    /// The answer, as ``resolve(_:permissions:catalog:)`` returns it.
    package let resolution: Resolution

    /// The steps of the engine, in order.
    package let steps: [ExplanationStep]
}
