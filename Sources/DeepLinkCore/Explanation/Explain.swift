/// Resolves a link as ``resolve(_:userLevel:catalog:)`` does, and tells what was tried on the way.
///
/// The steps come from the engine: what the search found out is told candidate by candidate. At most 1,000 are.
///
/// - Complexity: that of resolving, and linear in the candidates tried.
public func explain(
    _ request: ResolutionRequest,
    userLevel: AuthorizationLevel,
    catalog: RouteCatalog
) -> Explanation {
    let resolution = resolve(request, userLevel: userLevel, catalog: catalog)
    let resolver = Resolver(catalog)
    guard let start = try? resolver.startingPoint(of: request) else {
        var writer = ExplanationWriter(RoutedPath(link: request.link, start: request.link.spans.path.start), catalog)
        if case .failure(let failure) = resolution { writer.append(failure) }
        return Explanation(resolution: resolution, steps: writer.steps)
    }
    var writer = ExplanationWriter(start.path, catalog)
    let node = resolver.node(after: start.current)
    writer.append(MatchNarrator.narrate(start.path, from: node, in: catalog), from: node)
    for redirect in resolver.redirects(of: start) {
        writer.appendUnusedFragment()
        writer.follow(redirect)
        writer.append(MatchNarrator.narrate(redirect.path, from: node, in: catalog), from: node)
    }
    if !resolution.isFailure, let resolved = try? resolver.stack(for: request, from: start) {
        writer.append(resolved, userLevel: userLevel, app: request.app)
    }
    writer.appendUnusedFragment()
    if case .failure(let failure) = resolution { writer.append(failure) }
    return Explanation(resolution: resolution, steps: writer.steps)
}

extension Resolution {
    /// Whether there is neither a plan nor a denial.
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}

/// The answer to a request together with how it came about.
public struct Explanation: Equatable, Sendable {
    /// The answer, as ``resolve(_:userLevel:catalog:)`` gives it.
    public let resolution: Resolution

    /// What the engine tried, in order.
    public let steps: [ExplanationStep]
}
