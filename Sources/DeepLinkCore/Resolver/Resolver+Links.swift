extension Resolver {
    /// Returns a stack's one canonical link, in UTF-8; `nil` if no link means exactly this stack.
    ///
    /// Equal stacks have one link, independent of their origin: if a route and its initial child open the same route,
    /// it is the shorter link, which names the parent. If the stack was resolved from `entry`, a link that is canonical
    /// already needs no verification.
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
    /// - Throws: ``DestinationError``, for the first destination that no link opens in this way.
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

    /// Returns the index of the destination at which a stack ceases to have a link: the part before it has one.
    ///
    /// A part of a stack may have none although the whole has one, if an initial child would be inserted; so the last
    /// destination whose part has a link decides.
    private func firstWithoutLink(_ stack: [StackElement], under base: LinkPrefix) -> Int {
        // No link can hold more destinations, except those that it does not name.
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

    /// Returns whether a stack that ends with a destination means another one, so that it has no link although it is
    /// valid.
    private func showsMore(_ element: StackElement) -> Bool {
        let edge = graph.edges[element.edge]
        return edge.canTakeNoSegment && graph.continues[edge.child] || graph.packed[element.edge].childInitial != nil
    }

    /// The most parts of a stack that are printed one by one to find the first without a link.
    private static let maximumPartCount = 24
}
