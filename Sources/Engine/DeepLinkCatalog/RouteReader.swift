import DeepLinkCore

/// The reader of `routes`.
struct RouteReader {
    /// The supported keys.
    static let keys =
        AddressReader.keys + ["link"] + AccessReader.keys
        + [SinceReader.key, "opens", "description", "web", "signed", ShortLinkReader.key]

    let paths: DeclaredPaths
    let access: AccessReader
    let site: Site
    let log: IssueLog

    /// Reads the mapping from names to routes.
    func read(_ node: YAMLNode) -> [RouteDefinition] {
        MappingReader.pairs(of: node, subject: "`routes`", log: log)
            .map { name, value in
                route(Located(name.value, at: log.location(name.mark)), node: value)
            }
    }

    private func route(_ name: Located<String>, node: YAMLNode) -> RouteDefinition {
        let subject = "the route `\(name.value)`"
        let opens = node["opens"]
        if node.pairs == nil || opens != nil && opens?.pairs == nil {
            log.holdBack(.unreachableRoute, .gateUnresolved)
        }
        let reader = MappingReader(node, subject: subject, keys: access.supported(Self.keys), log: log)
        let addressReader = AddressReader(subject: subject, reader: reader, log: log)
        let address = addressReader.address() ?? Located(.path(addressReader.pattern(name)), at: name.location)
        let path: PathPattern? = if case .path(let pattern) = address.value { pattern } else { nil }
        let parameters = addressReader.parameters(in: path) ?? []
        return RouteDefinition(
            name: name,
            address: address,
            aliases: addressReader.aliases() ?? [],
            parameters: parameters,
            requirements: access.requirements(reader, log: log),
            opens:
                opens
                .map { node in
                    EdgeReader(paths: paths, access: access, log: log)
                        .read(node, subject: "`opens` of \(subject)", example: "push")
                }
                ?? [],
            description: reader.string("description"),
            link: link(reader),
            page: reader["web"]
                .map { PageReader(site: site, log: log).read($0, subject: subject, parameters: parameters, path: path) },
            isSigned: reader.bool("signed") ?? false,
            shortLink: reader[ShortLinkReader.key].map { ShortLinkReader(log: log).read($0, subject: subject) },
            keys: MappingReader.keyLocations(of: node, log: log, naming: [.parameters])
        )
    }

    /// Reads the query key of a link that is resolved in place of the route.
    private func link(_ reader: MappingReader) -> Located<Parameter>? {
        guard let key = reader.locatedString("link") else { return nil }
        guard !key.value.isEmpty, let name = Identifier(key.value) ?? Identifier("link") else {
            log.report(
                .invalidValue,
                at: key.location,
                message: "`link` is empty.",
                hint: "Name the query key that holds a link."
            )
            return nil
        }
        let type = ParameterType.scalar(.string(min: nil, max: nil, pattern: nil))
        return Located(Parameter(name: name, type: type, key: key.value, isRequired: true), at: key.location)
    }
}
