extension Resolver {
    /// Prints a stack as its one canonical link, in UTF-8; `nil` where no link means just this stack.
    ///
    /// Equal stacks have one link, however they came about: where a route and its initial child open the same, it is
    /// the shorter one that names the route. Where the stack was resolved from `entry`, a link that is canonical
    /// already needs no proof.
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

    /// Prints a stack and resolves what it printed, to prove that the link means just this stack.
    ///
    /// - Throws: ``DestinationError``, for the first destination that no link opens as it stands.
    func link(to stack: [StackElement], under base: LinkPrefix) throws(DestinationError) -> String {
        let bytes = try LinkPrinter.print(stack, under: base, in: catalog)
        if does(bytes, mean: stack) { return bytes.asText }
        let index = firstWithoutLink(stack, under: base)
        let route = stack.indices.contains(index) ? graph.routes[graph.edges[stack[index].edge].child].name : ""
        throw DestinationError(index: index, route: route, message: "No link opens `\(route)` as it stands here.")
    }

    /// Resolves a link, and tells whether it means a stack and nothing more.
    private func does(_ bytes: [UInt8], mean stack: [StackElement]) -> Bool {
        guard let printed = try? DeepLink(bytes: bytes, rootless: catalog.rootlessSchemes),
            let (key, start) = catalog.origin(of: printed),
            let path = try? catalog.routedPath(of: printed, key, from: start),
            let resolved = try? self.stack(of: path), resolved.unusedQuery.isEmpty
        else { return false }
        return graph.destinations(resolved.stack) == graph.destinations(stack)
    }

    /// Finds the destination at which a stack stops having a link: up to the one before, it has.
    ///
    /// A part of a stack may have none although the whole had, where an initial child would follow by itself; so the
    /// last destination whose part has a link decides.
    private func firstWithoutLink(_ stack: [StackElement], under base: LinkPrefix) -> Int {
        // No link can hold more destinations than this, but for those that it does not name.
        let count = Swift.min(stack.count, DeepLink.maximumSegmentCount + DeepLink.maximumPairCount)
        func hasLink(_ count: Int) -> Bool {
            let part = Array(stack.prefix(count))
            guard let bytes = try? LinkPrinter.print(part, under: base, in: catalog) else { return false }
            return does(bytes, mean: part)
        }
        // A long stack is halved, since printing each of its parts would cost the square of its length.
        var most = count
        var least = 0
        while most - least > Self.maximumPartCount {
            let middle = (least + most) / 2
            if hasLink(middle) { least = middle } else { most = middle }
        }
        let last = stride(from: most, to: least, by: -1).first(where: hasLink) ?? least
        var index = Swift.min(last, Swift.max(stack.count - 1, 0))
        // A container has no link by itself, and what shows a child by itself none without it: the fault is over them.
        while index + 1 < stack.count, showsMore(stack[index]) { index += 1 }
        return index
    }

    /// Returns whether a stack that ends on a destination means another one, so that it has no link although nothing is
    /// wrong with it.
    private func showsMore(_ element: StackElement) -> Bool {
        let edge = graph.edges[element.edge]
        return edge.canTakeNoSegment && graph.continues[edge.child] || graph.packed[element.edge].childInitial != nil
    }

    /// The most parts of a stack that are printed one by one to find the first without a link.
    private static let maximumPartCount = 24
}
