extension Resolver {
    /// Returns the stack of a request, or the partial match if the request accepts one.
    func stack(for request: ResolutionRequest, from start: StartingPoint) throws(ResolutionError) -> ResolvedLink {
        do throws(StackSearchError) {
            return try stack(of: start.path, from: start.current)
        } catch {
            return try part(for: request, from: start, insteadOf: error)
        }
    }

    /// Returns the partial match of a request, if it accepts one.
    ///
    /// - Throws: ``ResolutionError``, the reason that the whole link has no stack.
    func part(
        for request: ResolutionRequest,
        from start: StartingPoint,
        insteadOf error: StackSearchError
    ) throws(ResolutionError) -> ResolvedLink {
        guard request.acceptsPart else { throw report(error, on: start) }
        return try part(of: start, error)
    }

    /// Returns the partial match of a link; for a redirecting link, that of the last link.
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

    /// Creates the plan for a user who has the required level.
    func plan(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        requiredLevel: AuthorizationLevel,
        userLevel: AuthorizationLevel,
        requiresApp: RequiredApps
    ) -> RoutePlan {
        let isWhole = request.mode == .replace && resolved.unresolved.isEmpty && resolved.redirect == nil
        let canonicalLink = self.canonicalLink(
            of: resolved.stack,
            under: resolved.redirect?.last.base ?? start.base,
            from: isWhole ? request.link : nil
        )
        return RoutePlan(
            link: request.link,
            canonicalLinkBytes: canonicalLink,
            requiredLevel: requiredLevel,
            userLevel: userLevel,
            unusedQuery: resolved.unusedQuery,
            requiresApp: requiresApp,
            unresolved: resolved.unresolved,
            transition: start.shown?.transition(to: resolved.stack, in: graph),
            catalog: catalog,
            routesFragment: start.path.offsets?.hasFragment == true,
            passedFragments: resolved.redirect?.unusedFragments,
            elements: resolved.stack,
            signature: demand(of: resolved, from: start, canonicalLink: canonicalLink)
        )
    }
}
