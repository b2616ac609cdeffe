/// What a link to a signed route has to prove, and what it brings along for that.
///
/// Core finds out what is signed; who knows the keys decides.
public struct SignatureDemand: Equatable, Sendable {
    /// The keys of a query that belong to a signature, as links print them.
    public static let keys = ["exp", "sig"]

    /// The first destination, from the root, that takes a signature.
    public let route: String

    /// The canonical path and query of the link, without scheme and host: what is signed.
    ///
    /// It is the same under every origin. There is none where the stack has no canonical link; then no signature holds.
    public let target: [UInt8]?

    /// The values of `sig`, in the order of the link; `nil` for a key without one.
    public let signatures: [String?]

    /// The values of `exp`, in the order of the link; `nil` for a key without one.
    public let expiries: [String?]
}

extension SignatureDemand {
    /// Appends a signature to a link, as the last keys of its query.
    ///
    /// - Parameters:
    ///   - link: a link without a fragment.
    ///   - signature: the value of `sig`.
    ///   - expiry: the value of `exp`; `nil` for a link that does not expire.
    /// - Returns: the signed link.
    public static func link(_ link: String, signature: String, expiry: String?) -> String {
        var bytes = Array(link.utf8)
        func append(_ key: String, _ value: String) {
            bytes.append(bytes.contains(ASCII.question) ? ASCII.ampersand : ASCII.question)
            bytes += Array(key.utf8)
            bytes.append(ASCII.equals)
            PercentEncoding.append(value, to: &bytes)
        }
        if let expiry { append("exp", expiry) }
        append("sig", signature)
        return bytes.asText
    }

    /// A link to the same stack with the signature that the demand's link brought; the link itself where it brought none.
    public func signing(_ link: String) -> String {
        guard signatures.count == 1, let signature = signatures[0], expiries.count <= 1 else { return link }
        return Self.link(link, signature: signature, expiry: expiries.first ?? nil)
    }
}

/// Finds what a request has to prove: whether its link leads to a signed route, whoever asks.
///
/// The order is that of ``resolve(_:userLevel:catalog:)``, up to the level: a link that leads nowhere needs no signature.
///
/// - Returns: `nil` where no destination that the link adds takes a signature.
/// - Complexity: that of resolving; constant where the catalog has no signed route.
public func signatureDemand(of request: ResolutionRequest, catalog: RouteCatalog) -> SignatureDemand? {
    guard catalog.hasSignedRoutes else { return nil }
    let resolver = Resolver(catalog)
    guard let start = try? resolver.startingPoint(of: request),
        let resolved = try? resolver.stack(for: request, from: start)
    else { return nil }
    return resolver.demand(of: resolved, from: start)
}

extension Resolver {
    /// Returns whether a destination takes a signature.
    private func isSigned(_ element: StackElement) -> Bool { graph.packed[element.edge].isSigned }

    /// Takes the keys of a signature out of what no destination used, where the link adds a signed one.
    func withoutSignature(_ resolved: ResolvedLink) -> ResolvedLink {
        guard !resolved.unusedQuery.isEmpty, resolved.added.contains(where: isSigned) else { return resolved }
        var resolved = resolved
        resolved.unusedQuery.removeAll { item in
            SignatureDemand.keys.contains { $0.bytewise == item.name.bytewise }
        }
        return resolved
    }

    fileprivate func demand(of resolved: ResolvedLink, from start: StartingPoint) -> SignatureDemand? {
        // What a link passed on the way to the one that answers counts too, as its level does.
        let passed = resolved.redirect?.all.flatMap(\.passed) ?? []
        guard let first = (passed + resolved.added).first(where: isSigned) else { return nil }
        let link = (resolved.redirect?.last.path ?? start.path).link
        let query = QueryBinder(link, plusIsSpace: catalog.plusIsSpace)
        func values(of key: String) -> [String?] {
            link.pairRanges.indices.filter { query.isNamed(query.pair($0), key) }
                .map { query.item(query.pair($0)).value }
        }
        return SignatureDemand(
            route: graph.routes[graph.packed[first.edge].child].name,
            target: target(of: resolved.stack, under: resolved.redirect?.last.base ?? start.base),
            signatures: values(of: "sig"),
            expiries: values(of: "exp")
        )
    }

    /// The path and query of a stack's canonical link, from the first segment that routes are matched against: a host that
    /// is a segment is in it, and the prefix of an origin is not.
    private func target(of stack: [StackElement], under base: LinkPrefix) -> [UInt8]? {
        guard let bytes = canonicalLink(of: stack, under: base),
            let link = try? DeepLink(bytes: bytes, rootless: catalog.rootlessSchemes),
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
