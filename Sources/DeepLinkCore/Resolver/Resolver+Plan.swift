extension Resolver {
    /// Finds the stack of a request, or the part of it that the request accepts.
    func stack(for request: ResolutionRequest, from start: StartingPoint) throws(ResolutionError) -> ResolvedLink {
        do throws(StackSearchError) {
            return try stack(of: start.path, from: start.current)
        } catch {
            guard request.acceptsPart else { throw report(error, on: start) }
            return try part(of: start, error)
        }
    }

    /// Finds the part of a request that matches, where that is good enough; of a link that hands on, the part of the
    /// one that answers.
    private func part(of start: StartingPoint, _ error: StackSearchError) throws(ResolutionError) -> ResolvedLink {
        switch error {
        case .unmatched(let furthest) where furthest.rejection?.capture == nil:
            do throws(StackSearchError) {
                if let part = try part(of: start, furthest.steps) { return part }
            } catch {
                throw report(error, on: start)
            }
        case .behind(let redirect, let unusedQuery, let error):
            var part = try part(of: start.following(redirect), error)
            part.redirect = redirect.followed(by: part.redirect)
            part.unusedQuery = unusedQuery + part.unusedQuery
            return part
        case .unmatched, .failure: break
        }
        throw report(error, on: start)
    }

    /// Puts together what a user who may go there is told.
    func plan(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        _ requiredLevel: AuthorizationLevel,
        _ userLevel: AuthorizationLevel,
        requiresApp: RequiredApps
    ) -> RoutePlan {
        let isWhole = request.mode == .replace && resolved.unresolved.isEmpty && resolved.redirect == nil
        return RoutePlan(
            link: request.link,
            canonicalLinkBytes: canonicalLink(
                of: resolved.stack,
                under: resolved.redirect?.last.base ?? start.base,
                from: isWhole ? request.link : nil
            ),
            requiredLevel: requiredLevel,
            userLevel: userLevel,
            unusedQuery: resolved.unusedQuery,
            requiresApp: requiresApp,
            unresolved: resolved.unresolved,
            transition: start.shown?.transition(to: resolved.stack, in: graph),
            catalog: catalog,
            routesFragment: start.path.offsets?.hasFragment == true,
            passedFragments: resolved.redirect?.unusedFragments,
            elements: resolved.stack
        )
    }
}
