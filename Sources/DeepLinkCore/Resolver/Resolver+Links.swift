extension Resolver {
    /// Prints a stack as its one canonical link; `nil` where no link means just this stack.
    ///
    /// Where the stack was resolved from `entry`, a link that is canonical already needs no proof.
    func canonicalLink(of stack: [StackElement], under base: LinkBase, from link: DeepLink? = nil) -> String? {
        guard let bytes = try? LinkPrinter.print(stack, under: base, in: graph),
            bytes == link?.bytes || does(bytes, mean: stack)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Prints a stack and resolves what it printed, to prove that the link means just this stack.
    ///
    /// - Throws: ``DestinationFault``, for the first destination that no link opens as it stands.
    func link(to stack: [StackElement], under base: LinkBase) throws(DestinationFault) -> String {
        let bytes = try LinkPrinter.print(stack, under: base, in: graph)
        if does(bytes, mean: stack) { return String(decoding: bytes, as: UTF8.self) }
        let kept: Int
        if let path = (try? DeepLink(bytes: bytes)).flatMap({ origin(of: $0)?.path }) {
            kept = zip(destinations(of: path), destinations(stack)).prefix { $0 == $1 }.count
        } else {
            kept = stack.indices.first { !isLink(stack[...$0], under: base) } ?? 0
        }
        let index = min(kept, Swift.max(stack.count - 1, 0))
        let route = stack.indices.contains(index) ? graph.routes[graph.edges[stack[index].edge].child].name : ""
        throw DestinationFault(index: index, route: route, message: "No link opens `\(route)` as it stands here.")
    }

    /// Resolves a link, and tells whether it means a stack and nothing more.
    private func does(_ bytes: [UInt8], mean stack: [StackElement]) -> Bool {
        guard let printed = try? DeepLink(bytes: bytes), let (_, path) = origin(of: printed),
            let resolved = try? self.stack(of: path), resolved.unusedQuery.isEmpty
        else { return false }
        return destinations(resolved.stack) == destinations(stack)
    }

    /// Tells whether what a stack prints is a link at all: short enough, and without control characters.
    private func isLink(_ stack: ArraySlice<StackElement>, under base: LinkBase) -> Bool {
        guard let bytes = try? LinkPrinter.print(Array(stack), under: base, in: graph) else { return false }
        return (try? DeepLink(bytes: bytes)) != nil
    }

    /// The destinations of a path, up to where it fails.
    private func destinations(of path: RoutedPath) -> [Destination] {
        if let resolved = try? stack(of: path) { return destinations(resolved.stack) }
        var builder = StackBuilder(path.link, from: [], in: catalog)
        builder.buildPrefix(furthestFailure(of: path, from: []).steps)
        return destinations(builder.stack)
    }
}
