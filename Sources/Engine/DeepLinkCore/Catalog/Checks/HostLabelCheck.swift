/// The check that a host below a `*` does not open another path's route: hosts as segments share one table with paths.
enum HostLabelCheck {
    /// Warns of each `*.` origin in whose table a literal is a host's first label, if other origins begin a path with
    /// the same literal.
    ///
    /// A host that some origin names is not matched by a `*` (decision record 18), and so causes no warning.
    ///
    /// - Complexity: linear in the edges at which links begin, and constant if no origin has a `*.`.
    static func issues(of definition: CatalogDefinition, _ graph: CatalogGraph) -> [CatalogIssue] {
        let wild = definition.origins.filter { takesLabels($0.value) }
        guard !wild.isEmpty, definition.origins.contains(where: { !($0.value.isWeb && $0.value.authority == .segment) })
        else { return [] }
        let named = Set(definition.origins.filter { $0.value.isWeb }.flatMap { $0.value.hosts }.map(hostName))
        let literals = firstLiterals(of: graph)
        var known: Set<SourceLocation> = []
        return wild.compactMap { origin in
            // All schemes of one list have the same location.
            guard known.insert(origin.location).inserted else { return nil }
            for host in origin.value.hosts where isWildcard(host) {
                let suffix = hostName(host).string.utf8.dropFirst()
                let meant = literals.filter { !named.contains(($0.text + String(Substring(suffix))).bytewise) }
                guard let first = meant.first else { continue }
                return issue(first, of: meant.count, suffix: String(Substring(suffix)), origin: origin)
            }
            return nil
        }
    }

    private static func issue(
        _ literal: (text: String, route: String),
        of count: Int,
        suffix: String,
        origin: Located<Origin>
    ) -> CatalogIssue {
        let host = literal.text + suffix
        let more = count == 1 ? "" : count == 2 ? ", and 1 other literal so" : ", and \(count - 1) other literals so"
        return CatalogIssue(
            .labelMatchesLiteral,
            at: origin.location,
            message: "Under `*\(suffix)` the label is the first segment: `\(origin.value.scheme)://\(host)/…` leads to "
                + "`\(literal.route)`, whose path begins with `\(literal.text)`\(more).",
            hint:
                "Name `\(host)` in the `hosts` of another origin, so that `*` doesn't match it, or begin the path "
                + "otherwise."
        )
    }

    private static func takesLabels(_ origin: Origin) -> Bool {
        origin.isWeb && origin.authority == .segment && origin.hosts.contains(where: isWildcard)
    }

    private static func isWildcard(_ host: String) -> Bool { host.utf8.starts(with: "*.".utf8) }

    /// Returns a host without its port.
    private static func hostName(_ host: String) -> ByteText {
        String(Substring(host.utf8.prefix { $0 != ASCII.colon })).bytewise
    }

    /// Returns the first literals of a catalog's paths that can be a host's label, each with its route.
    private static func firstLiterals(of graph: CatalogGraph) -> [(text: String, route: String)] {
        var literals: [(text: String, route: String)] = []
        var known: Set<ByteText> = []
        for node in graph.firstNodes {
            for edge in graph.opens(node).map({ graph.edges[$0] }) where edge.isLinkable {
                for expansion in edge.expansions {
                    guard case .literal(let text)? = expansion.parts.first, isLabel(text),
                        known.insert(text.bytewise).inserted
                    else { continue }
                    literals.append((text, edge.routeName))
                }
            }
        }
        return literals
    }

    /// Returns whether a text is one label of a host, in lower case (RFC 1035 §2.3.1, RFC 1123 §2.1).
    private static func isLabel(_ text: String) -> Bool {
        let bytes = text.utf8
        let hyphen = UInt8(ascii: "-")
        guard bytes.count <= 63, let first = bytes.first, let last = bytes.last, first != hyphen, last != hyphen else {
            return false
        }
        return bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == hyphen }
    }
}
