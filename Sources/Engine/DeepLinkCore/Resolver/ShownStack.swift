/// A client's current stack, as far as it fits the catalog.
struct ShownStack {
    /// The destinations that fit, root first.
    let elements: [StackElement]

    /// The number of destinations above the fitting ones, at least one, or `nil` if all fit.
    var unknownCount: Int?

    /// Returns the transition from the current stack to another.
    ///
    /// Destinations that do not fit are dismissed.
    func transition(to stack: [StackElement], in graph: CatalogGraph) -> Transition {
        Transition(from: graph.destinations(elements), to: graph.destinations(stack), unknownCount: unknownCount)
    }
}

extension Resolver {
    /// Reads the current stack of a request, and the prefix for printing it if a link names it.
    ///
    /// A link that continues from the current stack needs all of it. A link to a whole stack only needs to know which
    /// destinations may stay. Then the stack of another app version, with destinations unknown to this catalog, is read
    /// as far as it fits.
    ///
    /// - Throws: ``ResolutionError/invalidCurrentStack(_:)`` if the link continues from a stack that does not fit or is
    ///   missing.
    func shown(
        _ current: CurrentStack?,
        for mode: ResolutionRequest.Mode
    ) throws(ResolutionError) -> (stack: ShownStack?, base: LinkPrefix?) {
        switch current {
        case .link(let link): return try shown(by: link, for: mode)
        case .stack(let destinations):
            guard mode == .append else {
                let elements = StackReader.readFitting(destinations, in: graph)
                let unknownCount = destinations.count - elements.count
                return (ShownStack(elements: elements, unknownCount: unknownCount > 0 ? unknownCount : nil), nil)
            }
            do throws(DestinationError) {
                return (ShownStack(elements: try StackReader.read(destinations, in: graph)), nil)
            } catch {
                let message = "The current stack, at destination \(error.index): \(error.message)"
                throw .invalidCurrentStack(CurrentStackError(message: message))
            }
        case nil:
            guard mode == .replace else { throw .invalidCurrentStack(.missing) }
            return (nil, nil)
        }
    }

    private func shown(
        by link: DeepLink,
        for mode: ResolutionRequest.Mode
    ) throws(ResolutionError) -> (stack: ShownStack?, base: LinkPrefix?) {
        let start: StartingPoint
        do throws(ResolutionError) {
            start = try startingPoint(of: ResolutionRequest(link: link))
        } catch {
            guard mode == .append else { return (ShownStack(elements: [], unknownCount: 1), nil) }
            throw invalid(error)
        }
        do throws(StackSearchError) {
            let resolved = try stack(of: start.path)
            return (ShownStack(elements: resolved.stack), resolved.redirect?.last.base ?? start.base)
        } catch {
            guard mode == .append else {
                var (answering, cause) = (start, error)
                while case .behind(let redirect, _, let failure) = cause {
                    (answering, cause) = (start.following(redirect), failure)
                }
                return (ShownStack(elements: fitting(of: answering.path), unknownCount: 1), answering.base)
            }
            throw invalid(report(error, on: start))
        }
    }

    /// Returns a failure of the current stack's link as an error of the request.
    private func invalid(_ error: ResolutionError) -> ResolutionError {
        .invalidCurrentStack(CurrentStackError(message: "The link of the current stack: \(error.message)"))
    }

    /// Builds the stack of a path that fails, up to the failure.
    ///
    /// The initial child that would be inserted there is left out, since the next destination may take its place.
    private func fitting(of path: RoutedPath) -> [StackElement] {
        var matcher = PathMatcher()
        let isMatched = matcher.match(path.link, from: path.start, at: graph.entryNode, in: catalog)
        let steps = isMatched ? matcher.steps : matcher.failure?.steps ?? ShortList()
        let builder = StackBuilder(path.link, from: [], in: catalog)
        var prefix = builder
        let isBuilt = (try? prefix.buildPath(steps, in: catalog)) != nil
        var elements = prefix.stack
        if !isMatched {
            while elements.last?.origin == .initial { elements.removeLast() }
        } else if isBuilt {
            var whole = builder
            do throws(ResolutionError) {
                try whole.build(steps, in: catalog)
            } catch {
                // A key that belongs to an alternative edge is detected only after building the whole stack.
                if case .invalidParameter(let invalid) = error {
                    let name = invalid.route.bytewise
                    elements = Array(
                        elements.prefix { graph.routes[graph.packed[$0.edge].child].name.bytewise != name }
                    )
                }
            }
        }
        // Redirecting routes are never shown.
        elements.removeAll { graph.packed[$0.edge].isRedirect }
        // It may be too deep.
        return StackReader.readFitting(graph.destinations(elements), in: graph)
    }
}
