extension Resolver {
    /// Prints a stack as its one canonical link; `nil` where no link means just this stack.
    func canonicalLink(of stack: [StackElement], under base: LinkBase) -> String? {
        try? link(to: stack, under: base)
    }

    /// Prints the stack of a link that was resolved from `entry`, sparing the proof where the link is canonical.
    func canonicalLink(of stack: [StackElement], from link: DeepLink, under base: LinkBase) -> String? {
        guard let bytes = try? LinkPrinter.print(stack, under: base, in: graph), bytes == link.bytes else {
            return canonicalLink(of: stack, under: base)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Prints a stack and resolves what it printed, to prove that the link means just this stack.
    ///
    /// - Throws: ``UnprintableDestination``, for the first destination that no link opens as it stands.
    func link(to stack: [StackElement], under base: LinkBase) throws(UnprintableDestination) -> String {
        let bytes = try LinkPrinter.print(stack, under: base, in: graph)
        guard let printed = try? DeepLink(bytes: bytes), let (_, path) = origin(of: printed) else {
            throw UnprintableDestination(index: Swift.max(stack.count - 1, 0))
        }
        let wanted = destinations(stack)
        let resolved = try? self.stack(of: path)
        if let resolved, resolved.unusedQuery.isEmpty, destinations(resolved.stack) == wanted {
            return String(decoding: bytes, as: UTF8.self)
        }
        let got = resolved.map { destinations($0.stack) } ?? partialStack(of: path)
        let kept = zip(got, wanted).prefix { $0 == $1 }.count
        throw UnprintableDestination(index: min(kept, Swift.max(stack.count - 1, 0)))
    }

    /// The destinations up to where a path fails.
    private func partialStack(of path: RoutedPath) -> [Destination] {
        var builder = StackBuilder(path.link, from: [], in: catalog)
        builder.buildPrefix(furthestFailure(of: path, from: []).steps)
        return destinations(builder.stack)
    }
}
