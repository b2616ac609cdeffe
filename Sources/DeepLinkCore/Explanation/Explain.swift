/// Resolves a link as ``resolve(_:userLevel:catalog:)`` does, and tells what was tried on the way.
///
/// The steps come from the engine: the matcher runs again with someone watching. At most 1,000 are told of.
///
/// - Complexity: that of resolving, and linear in the candidates tried.
public func explain(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Explanation {
    let resolution = resolve(request, userLevel: userLevel, catalog: catalog)
    let resolver = Resolver(catalog)
    var writer = ExplanationWriter(request.link, catalog)
    if let start = try? resolver.startingPoint(of: request) {
        var matcher = PathMatcher(observer: MatchRecorder())
        let node = resolver.node(after: start.current)
        _ = matcher.match(start.path.link, from: start.path.start, at: node, in: catalog)
        writer.append(matcher.observer, from: node)
        if let resolved = try? resolver.stack(for: request, from: start) {
            writer.append(resolved, userLevel: userLevel)
        }
    }
    if case .failure(let failure) = resolution { writer.append(failure) }
    return Explanation(resolution: resolution, steps: writer.steps)
}
