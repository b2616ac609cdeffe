/// The steps of a resolution, for links and for the catalog's own gates.
struct Resolver {
    /// The maximum number of occurrences of one route in a stack.
    static let maximumRouteCount = 64

    let catalog: RouteCatalog

    init(_ catalog: RouteCatalog) {
        self.catalog = catalog
    }

    var graph: CatalogGraph { catalog.graph }

    // MARK: Starting point

    /// Resolves all references of a request.
    func startingPoint(of request: ResolutionRequest) throws(ResolutionError) -> StartingPoint {
        let isFresh = request.current == nil && request.mode == .replace
        let (currentStack, currentBase) = isFresh ? (nil, nil) : try shown(request.current, for: request.mode)
        let current = request.mode == .append ? currentStack?.elements ?? [] : []
        let shown: ShownStack? =
            switch request.transitionStart {
            case .current: currentStack
            case .shown(let stack): try self.shown(stack, for: .replace).stack
            }
        if request.link.isRelative, request.mode == .append, !catalog.origins.isEmpty {
            return StartingPoint(
                mode: request.mode,
                path: RoutedPath(link: request.link, start: request.link.spans.path.start),
                current: current,
                shown: shown,
                base: currentBase ?? LinkPrefix(origin: 0)
            )
        }
        let link = request.target?.link ?? request.link
        guard let (origin, start) = catalog.origin(of: link) else { throw foreign(link) }
        let path: RoutedPath
        do throws(LinkSyntaxError) {
            path = try catalog.routedPath(of: link, origin, from: start, within: offsets(of: request))
        } catch {
            throw .malformedLink(error)
        }
        return StartingPoint(
            mode: request.mode,
            path: path,
            current: current,
            shown: shown,
            base: LinkPrefix(origin: origin, link: link)
        )
    }

    /// Returns the failure of a link outside the origins with routes.
    func foreign(_ link: DeepLink) -> ResolutionError {
        catalog.shortLinkPlace(in: link) == nil
            ? .unknownOrigin(hint: OriginAdvice.hint(for: link, in: catalog)) : .unknownShortLink
    }

    /// Returns the offsets of the target's bytes in a short link, all at the code, or `nil` for any other link.
    private func offsets(of request: ResolutionRequest) -> LinkOffsets? {
        guard let target = request.target else { return nil }
        let code = catalog.shortLinkPlace(in: request.link)?.range ?? request.link.spans.path
        return LinkOffsets(code: code, of: target.link)
    }

    /// Returns the node from which a path continues.
    func node(after current: [StackElement]) -> Int {
        current.last.map { graph.packed[$0.edge].child } ?? graph.entryNode
    }

    // MARK: The stack

    /// Returns the stack of a path, for any user, which may continue a current stack.
    ///
    /// A redirecting link is replaced by the link in its query, after `count` earlier redirects.
    func stack(
        of path: RoutedPath,
        from current: [StackElement] = [],
        after count: Int = 0
    ) throws(StackSearchError) -> ResolvedLink {
        if path.link.bytes.isEmpty || (!current.isEmpty && path.isEmpty) {
            return ResolvedLink(stack: current, currentCount: current.count, unusedQuery: [])
        }
        var matcher = PathMatcher()
        guard matcher.match(path.link, from: path.start, at: node(after: current), in: catalog) else {
            throw .unmatched(matcher.failure ?? MatchError(rejection: nil, steps: ShortList()))
        }
        let steps = matcher.steps
        let resolved = try build(path, from: current) { builder throws(ResolutionError) in
            try builder.build(steps, in: catalog)
        }
        guard catalog.hasRedirects, let top = resolved.added.last, graph.packed[top.edge].isRedirect else {
            return resolved
        }
        return try follow(resolved, of: path, from: current, after: count)
    }

    /// Builds a stack and checks its depth.
    func build(
        _ path: RoutedPath,
        from current: [StackElement],
        body: (inout StackBuilder) throws(ResolutionError) -> Void
    ) throws(StackSearchError) -> ResolvedLink {
        var builder = StackBuilder(path.link, from: current, in: catalog)
        do throws(ResolutionError) {
            try body(&builder)
        } catch {
            throw .failure(error)
        }
        let stack = builder.stack
        guard !isTooDeep(stack) else {
            throw .failure(.tooDeep(limit: Self.maximumRouteCount))
        }
        let resolved = ResolvedLink(stack: stack, currentCount: current.count, unusedQuery: builder.unusedQuery)
        return catalog.hasSignedRoutes ? withoutSignature(resolved) : resolved
    }

    func isTooDeep(_ stack: [StackElement]) -> Bool {
        guard stack.count > Self.maximumRouteCount else { return false }
        var counts: [Int: Int] = [:]
        for element in stack { counts[graph.packed[element.edge].child, default: 0] += 1 }
        return counts.values.contains { $0 > Self.maximumRouteCount }
    }
}

/// The text to match, and the point in the catalog to match it from.
struct StartingPoint {
    /// Whether the path begins at `entry` or at the top of the current stack.
    let mode: ResolutionRequest.Mode

    /// The part of the link that routes are matched against.
    let path: RoutedPath

    /// The stack that the path continues, empty if it begins at `entry`.
    let current: [StackElement]

    /// The client's current stack, if the request has one.
    let shown: ShownStack?

    /// The prefix with which the resulting stack is printed.
    let base: LinkPrefix
}

extension StartingPoint {
    /// Returns the starting point for the link in this one's query.
    func following(_ redirect: Redirect) -> StartingPoint {
        StartingPoint(mode: mode, path: redirect.path, current: current, shown: shown, base: redirect.base)
    }
}

/// The meaning of a link before its requirements are checked.
struct ResolvedLink {
    let stack: [StackElement]

    /// The number of destinations before the link's own.
    ///
    /// Their levels do not count.
    let currentCount: Int

    var unusedQuery: [QueryItem]

    /// The decoded segments that no route matched.
    var unresolved: [String] = []

    /// The redirect to the link in the query, if there was one.
    var redirect: Redirect?

    /// The destinations that the link adds.
    var added: ArraySlice<StackElement> { stack[currentCount...] }
}
