extension Resolver {
    /// Returns whether a destination takes a signature.
    private func isSigned(_ element: StackElement) -> Bool { graph.packed[element.edge].isSigned }

    /// Takes the keys of a signature out of the pairs that no destination used, if the link adds a signed one.
    func withoutSignature(_ resolved: ResolvedLink) -> ResolvedLink {
        guard !resolved.unusedQuery.isEmpty, resolved.added.contains(where: isSigned) else { return resolved }
        var resolved = resolved
        resolved.unusedQuery.removeAll { item in
            SignatureDemand.keys.contains { $0.bytewise == item.name.bytewise }
        }
        return resolved
    }

    /// Returns the demand of a link that leads somewhere, at any level; `nil` if nothing that it adds takes a signature.
    ///
    /// - Complexity: constant if the catalog has no signed route; otherwise that of printing the stack.
    func demand(of resolved: ResolvedLink, from start: StartingPoint) -> SignatureDemand? {
        demand(
            of: resolved,
            from: start,
            canonicalLink: canonicalLink(of: resolved.stack, under: resolved.redirect?.last.base ?? start.base)
        )
    }

    /// Returns the demand of a link whose stack is printed already.
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
        let passed = resolved.redirect?.all.flatMap(\.passed) ?? []
        guard let first = (passed + resolved.added).first(where: isSigned) else { return nil }
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

    /// The path and query of a canonical link, from the first segment that routes are matched against: a host that is a
    /// segment is in it, and the prefix of an origin is not.
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
