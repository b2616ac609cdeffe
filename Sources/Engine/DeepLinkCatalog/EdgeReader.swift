import DeepLinkCore

/// The reader of `opens` and `entry`: the opened routes and their presentations.
struct EdgeReader {
    /// The supported keys.
    static let keys =
        ["presentation"] + AddressReader.keys
        + [AddressReader.listKey] + AccessReader.keys + [SinceReader.key, AppsReader.reference, "initial", "linkable"]

    /// The key of an edge in a catalog's JSON that names the group that declared it.
    static let groupKey = "group"

    let paths: DeclaredPaths
    let access: AccessReader
    let apps: Apps

    /// Whether an edge may name its group, as in a catalog's JSON, which has the edges of groups in every `opens`.
    let namesGroups: Bool

    let log: IssueLog

    /// Reads a mapping from route names to presentations, mappings, or lists of either.
    ///
    /// `example` is a valid presentation, for hints.
    func read(_ node: YAMLNode, subject: String, example: String) -> [EdgeDefinition] {
        if let items = node.items {
            let edges = items.prefix(3).map { "\($0.text ?? $0.pairs?.first?.key ?? "route"): \(example)" }
            log.report(
                .wrongType,
                at: node.mark,
                message: "\(subject.firstLetterUppercased) is a list, and does not say how each route is presented.",
                hint: edges.isEmpty
                    ? "Write a mapping: `route: \(example)`."
                    : "Write a mapping: `{ \(edges.joined(separator: ", "))\(items.count > 3 ? ", …" : "") }`."
            )
            return []
        }
        return MappingReader.pairs(of: node, subject: subject, log: log)
            .flatMap { name, value in
                edges(Located(name.value, at: log.location(name.mark)), node: value)
            }
    }

    private func edges(_ route: Located<String>, node: YAMLNode) -> [EdgeDefinition] {
        guard let items = node.items else { return edgesOfPaths(route, node: node) }
        if items.isEmpty {
            log.report(
                .missingKey,
                at: node.mark,
                message: "The list of edges to `\(route.value)` is empty.",
                hint: "Write a presentation, such as `push`, or a list of mappings with one each."
            )
        }
        return items.flatMap { item in
            // Each alternative has its own location.
            edgesOfPaths(Located(route.value, at: log.location(item.mark)), node: item)
        }
    }

    /// Reads one edge, or one for each of its `paths` with the same properties otherwise.
    private func edgesOfPaths(_ route: Located<String>, node: YAMLNode) -> [EdgeDefinition] {
        if let text = node.text, !node.isNull {
            return [EdgeDefinition(route: route, presentation: presentation(text, at: node.mark) ?? .push)]
        }
        // An edge without a value is reported as one without a presentation.
        let reader = MappingReader(
            node.isNull ? .emptyMapping(at: node.mark) : node,
            subject: "the edge to `\(route.value)`",
            keys: access.supported(Self.keys) + (namesGroups ? [Self.groupKey] : []),
            log: log
        )
        let addressReader = AddressReader(reader: reader)
        guard let addresses = addressReader.addresses(), !addresses.isEmpty else {
            return [edge(route, address: addressReader.address(), addressReader: addressReader, node: node)]
        }
        return addresses.enumerated()
            .map { index, address in
                let place = Located(route.value, at: address.location)
                guard index > 0 else {
                    return edge(place, address: address, addressReader: addressReader, node: node)
                }
                // Issues of the shared properties are reported once.
                let own = log.fresh()
                let reader = AddressReader(reader: reader.logging(to: own))
                let edge = EdgeReader(paths: paths, access: access, apps: apps, namesGroups: namesGroups, log: own)
                    .edge(place, address: address, addressReader: reader, node: node)
                log.add(own)
                return edge
            }
    }

    private func edge(
        _ route: Located<String>,
        address: Located<RouteAddress>?,
        addressReader: AddressReader,
        node: YAMLNode
    ) -> EdgeDefinition {
        let reader = addressReader.reader
        let path: PathPattern? =
            switch address?.value {
            case .path(let pattern): pattern
            case .query: nil
            case nil: paths[route.value]
            }
        let edge = EdgeDefinition(
            route: route,
            // This value never counts: a missing or unknown presentation makes the catalog invalid.
            presentation: presentation(reader) ?? .push,
            isInitial: reader.bool("initial") ?? false,
            isLinkable: reader.bool("linkable") ?? true,
            address: address,
            aliases: addressReader.aliases(),
            parameters: addressReader.parameters(in: path),
            requirements: access.requirements(reader, log: log),
            app: AppsReader(log: log).reference(in: reader, to: apps),
            keys: MappingReader.keyLocations(of: node, log: log, naming: [.parameters])
        )
        return reader.string(Self.groupKey).map(edge.inGroup) ?? edge
    }

    private func presentation(_ reader: MappingReader) -> Presentation? {
        reader.require(
            "presentation",
            hint: "Add `presentation: push`, or another of \(Presentation.allNames.joined(separator: ", "))."
        )
        return reader.string("presentation").flatMap { presentation($0, at: reader["presentation"]?.mark) }
    }

    private func presentation(_ name: String, at mark: YAMLMark?) -> Presentation? {
        if let presentation = Presentation(name: name) { return presentation }
        log.report(
            .invalidValue,
            at: mark,
            message: "`\(name)` isn't a presentation.",
            hint: SpellingSuggestion.hint(for: name, among: Presentation.allNames, listing: "Presentations are")
        )
        return nil
    }
}
