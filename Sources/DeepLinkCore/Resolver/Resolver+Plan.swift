extension Resolver {
    /// Finds the stack of a request, or the part of it that the request accepts.
    func stack(for request: ResolutionRequest, from start: StartingPoint) throws(ResolutionError) -> ResolvedLink {
        do throws(StackSearchError) {
            return try stack(of: start.path, from: start.current)
        } catch {
            guard case .unmatched(let furthest) = error else { throw report(error, on: start) }
            if request.acceptsPart, furthest.rejection?.capture == nil {
                do throws(StackSearchError) {
                    if let part = try part(of: start, furthest.steps) { return part }
                } catch {
                    throw report(error, on: start)
                }
            }
            throw report(furthest, on: start)
        }
    }

    /// Puts together what a user who may go there is told.
    func plan(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        _ requirements: Requirements,
        _ userLevel: AuthorizationLevel
    ) -> RoutePlan {
        let isWhole = request.mode == .replace && resolved.unresolved.isEmpty
        return RoutePlan(
            link: request.link,
            canonicalLinkBytes: canonicalLink(
                of: resolved.stack,
                under: start.base,
                from: isWhole ? request.link : nil
            ),
            requiredLevel: requirements.authorizationLevel,
            userLevel: userLevel,
            unusedQuery: resolved.unusedQuery,
            unresolved: resolved.unresolved,
            transition: start.shown?.transition(to: resolved.stack, in: graph),
            catalog: catalog,
            elements: resolved.stack
        )
    }
}
