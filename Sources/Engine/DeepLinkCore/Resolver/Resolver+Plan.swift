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
    /// - Throws: ``ResolutionError``, the reason why the whole link has no stack.
    func part(
        for request: ResolutionRequest,
        from start: StartingPoint,
        insteadOf error: StackSearchError
    ) throws(ResolutionError) -> ResolvedLink {
        guard request.acceptsPart else { throw report(error, on: start) }
        return try part(of: start, error)
    }

    /// Returns the partial match of a link or, after redirects, of the last link.
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

    /// Creates the plan for a user who meets the requirement.
    func plan(
        of resolved: ResolvedLink,
        for request: ResolutionRequest,
        from start: StartingPoint,
        requirement: Requirement,
        userLevel: AuthorizationLevel,
        app: AppIndex?,
        requiresApp: RequiredApps
    ) -> RoutePlan {
        let isWhole = request.mode == .replace && resolved.unresolved.isEmpty && resolved.redirect == nil
        let canonicalLink = self.canonicalLink(
            of: resolved.stack,
            under: resolved.redirect?.last.base ?? start.base,
            from: isWhole ? start.path.source : nil
        )
        return RoutePlan(
            link: request.link,
            canonicalLinkBytes: canonicalLink,
            requiredLevel: requirement.level,
            requiredGrants: requirement.grants,
            userLevel: userLevel,
            unusedQuery: request.target == nil ? resolved.unusedQuery : query(of: request.link) + resolved.unusedQuery,
            app: app,
            requiresApp: requiresApp,
            unresolved: resolved.unresolved,
            transition: start.shown?.transition(to: resolved.stack, in: graph),
            catalog: catalog,
            routesFragment: start.path.offsets?.hasFragment == true && request.target == nil,
            passedFragments: resolved.redirect?.unusedFragments,
            elements: resolved.stack,
            signature: demand(of: resolved, from: start, canonicalLink: canonicalLink)
        )
    }
}

extension Resolver {
    /// Returns the query pairs of a short link, which no destination reads.
    private func query(of link: DeepLink) -> [QueryItem] {
        let query = QueryBinder(link, plusIsSpace: catalog.plusIsSpace)
        return link.pairRanges.indices.map { query.item(query.pair($0)) }
    }

    /// Returns whether a destination requires a signature.
    private func isSigned(_ element: StackElement) -> Bool { graph.packed[element.edge].isSigned }

    /// Removes the keys of a signature from the unused query, if the link adds a signed destination.
    func withoutSignature(_ resolved: ResolvedLink) -> ResolvedLink {
        guard !resolved.unusedQuery.isEmpty, resolved.added.contains(where: isSigned) else { return resolved }
        var resolved = resolved
        resolved.unusedQuery.removeAll { item in
            SignatureDemand.keys.contains { $0.bytewise == item.name.bytewise }
        }
        return resolved
    }

    /// Returns the demand for a signature of a link with a stack, for any user.
    ///
    /// - Returns: `nil` if no added destination requires a signature.
    /// - Complexity: constant without signed routes, otherwise the same as for printing the stack.
    func demand(of resolved: ResolvedLink, from start: StartingPoint) -> SignatureDemand? {
        demand(
            of: resolved,
            from: start,
            canonicalLink: canonicalLink(of: resolved.stack, under: resolved.redirect?.last.base ?? start.base)
        )
    }

    /// Returns the demand for a signature of a link after its stack is printed.
    @inline(__always)
    func demand(
        of resolved: ResolvedLink,
        from start: StartingPoint,
        canonicalLink: @autoclosure () -> [UInt8]?
    ) -> SignatureDemand? {
        guard catalog.hasSignedRoutes else { return nil }
        return signatureDemand(of: resolved, from: start, canonicalLink: canonicalLink)
    }

    private func signatureDemand(
        of resolved: ResolvedLink,
        from start: StartingPoint,
        canonicalLink: () -> [UInt8]?
    ) -> SignatureDemand? {
        // Routes that redirected to the final link count too, as their levels do.
        guard let first = resolved.counted.first(where: isSigned) else { return nil }
        let link = (resolved.redirect?.last.path ?? start.path).link
        let query = QueryBinder(link, plusIsSpace: catalog.plusIsSpace)
        func values(of key: String) -> [String?] {
            link.pairRanges.indices.filter { query.isNamed(query.pair($0), key: key) }
                .map { query.item(query.pair($0)).value }
        }
        return SignatureDemand(
            route: graph.routes[graph.packed[first.edge].child].name,
            target: canonicalLink().flatMap(target),
            signatures: values(of: "sig"),
            expiries: values(of: "exp")
        )
    }

    /// Returns the path and query of a canonical link, from the first segment that routes are matched against.
    ///
    /// They include a host that is a segment, and not the prefix of an origin.
    private func target(of bytes: [UInt8]) -> [UInt8]? {
        guard let link = try? DeepLink(bytes: bytes, rootless: catalog.rootlessSchemes),
            let (key, start) = catalog.origin(of: link), let path = try? catalog.routedPath(of: link, key, from: start)
        else { return nil }
        let routed = path.link
        var target: [UInt8] = []
        for segment in routed.bytes[path.start..<routed.spans.path.end].split(separator: ASCII.slash) {
            target.append(ASCII.slash)
            target += segment
        }
        if target.isEmpty { target.append(ASCII.slash) }
        guard !routed.spans.query.isEmpty else { return target }
        return target + [ASCII.question] + routed.bytes[routed.spans.query.indices]
    }
}

extension Resolver {
    /// Returns a stack's one canonical link, in UTF-8, or `nil` if no link means exactly this stack.
    ///
    /// Equal stacks have one link, independent of their origin. If a route and its initial child open the same route,
    /// it is the shorter link, which names the parent. If the stack was resolved from `entry`, a link that is already
    /// canonical needs no verification.
    func canonicalLink(of stack: [StackElement], under base: LinkPrefix, from link: DeepLink? = nil) -> [UInt8]? {
        if StackReader.hasOwners(stack, in: graph),
            let owned = try? StackReader.read(graph.destinations(stack), in: graph, preferring: .owner),
            let bytes = canonicalLink(ofReading: owned, under: base, from: link)
        {
            return bytes
        }
        return canonicalLink(ofReading: stack, under: base, from: link)
    }

    private func canonicalLink(
        ofReading stack: [StackElement],
        under base: LinkPrefix,
        from link: DeepLink?
    ) -> [UInt8]? {
        if let bytes = try? LinkPrinter.print(stack, under: base, in: catalog) {
            if let link, link.bytes == bytes { return link.bytes }
            if does(bytes, mean: stack) { return bytes }
        }
        for other in catalog.prefixes(insteadOf: base) {
            guard let bytes = try? LinkPrinter.print(stack, under: other, in: catalog) else { continue }
            if does(bytes, mean: stack) { return bytes }
        }
        return nil
    }

    /// Prints a stack and resolves the result, to verify that the link means exactly this stack.
    ///
    /// - Throws: ``DestinationError`` for the first destination that no link opens in this way.
    func link(to stack: [StackElement], under base: LinkPrefix) throws(DestinationError) -> String {
        let bytes = try LinkPrinter.print(stack, under: base, in: catalog)
        if does(bytes, mean: stack) { return bytes.asText }
        let index = firstWithoutLink(stack, under: base)
        let route = stack.indices.contains(index) ? graph.routes[graph.edges[stack[index].edge].child].name : ""
        throw DestinationError(index: index, route: route, message: "No link opens `\(route)` in this position.")
    }

    /// Resolves a link, and returns whether it means a stack and nothing more.
    private func does(_ bytes: [UInt8], mean stack: [StackElement]) -> Bool {
        guard let printed = try? DeepLink(bytes: bytes, rootless: catalog.rootlessSchemes),
            let (key, start) = catalog.origin(of: printed),
            let path = try? catalog.routedPath(of: printed, key, from: start),
            let resolved = try? self.stack(of: path), resolved.unusedQuery.isEmpty
        else { return false }
        return graph.destinations(resolved.stack) == graph.destinations(stack)
    }

    /// Returns the index of the destination at which a stack ceases to have a link, although the part before it has
    /// one.
    ///
    /// A part may lack a link although the whole stack has one, if an initial child would be inserted. The last
    /// destination up to which the stack has a link therefore decides.
    private func firstWithoutLink(_ stack: [StackElement], under base: LinkPrefix) -> Int {
        // No link can hold more destinations, except the ones that it does not name.
        let count = Swift.min(stack.count, DeepLink.maximumSegmentCount + DeepLink.maximumPairCount)
        func hasLink(_ count: Int) -> Bool {
            let part = Array(stack.prefix(count))
            guard let bytes = try? LinkPrinter.print(part, under: base, in: catalog) else { return false }
            return does(bytes, mean: part)
        }
        // A long stack is bisected, since printing each of its parts would cost the square of its length.
        var most = count
        var least = 0
        while most - least > Self.maximumPartCount {
            let middle = (least + most) / 2
            if hasLink(middle) { least = middle } else { most = middle }
        }
        let last = stride(from: most, to: least, by: -1).first(where: hasLink) ?? least
        var index = Swift.min(last, Swift.max(stack.count - 1, 0))
        // A container alone has no link, and neither has a route without its initial child: the fault is above them.
        while index + 1 < stack.count, showsMore(stack[index]) { index += 1 }
        return index
    }

    /// Returns whether a stack that ends with a destination means another stack, and so lacks a link although it is
    /// valid.
    private func showsMore(_ element: StackElement) -> Bool {
        let edge = graph.edges[element.edge]
        return edge.canTakeNoSegment && graph.continues[edge.child] || graph.packed[element.edge].childInitial != nil
    }

    /// The maximum number of parts of a stack that are printed one by one to find the first without a link.
    private static let maximumPartCount = 24
}
