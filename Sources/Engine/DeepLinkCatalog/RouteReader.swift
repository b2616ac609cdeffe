import DeepLinkCore

/// The reader of `routes`.
struct RouteReader {
    /// The supported keys.
    static let keys =
        AddressReader.keys + ["link"] + AccessReader.keys
        + [
            SinceReader.key, AppsReader.reference, "opens", GroupsReader.key, "description", "web", "signed",
            ShortLinkReader.key,
        ]

    let access: AccessReader
    let apps: Apps
    let site: Site
    let edges: EdgeReader
    let groups: EdgeGroups
    let log: IssueLog

    /// Reads the mapping from names to routes.
    ///
    /// `count` is the number of edges that groups have given to routes so far.
    func read(_ node: YAMLNode, edgesOfGroups count: inout Int) -> [RouteDefinition] {
        MappingReader.pairs(of: node, subject: "`routes`", log: log)
            .map { name, value in
                route(Located(name.value, at: log.location(name.mark)), node: value, edgesOfGroups: &count)
            }
    }

    private func route(
        _ name: Located<String>,
        node: YAMLNode,
        edgesOfGroups count: inout Int
    ) -> RouteDefinition {
        let subject = "the route `\(name.value)`"
        let opens = node["opens"]
        if node.pairs == nil || opens != nil && opens?.pairs == nil {
            log.holdBack(.unreachableRoute, .gateUnresolved)
        }
        let reader = MappingReader(node, subject: subject, keys: access.supported(Self.keys), log: log)
        let addressReader = AddressReader(reader: reader)
        let address = addressReader.address() ?? Located(.path(addressReader.pattern(name)), at: name.location)
        let path: PathPattern? = if case .path(let pattern) = address.value { pattern } else { nil }
        let parameters = addressReader.parameters(in: path) ?? []
        let own = opens.map { edges.read($0, subject: "`opens` of \(subject)", example: "push") } ?? []
        let names = groups.names(in: reader, log: log)
        return RouteDefinition(
            name: name,
            address: address,
            aliases: addressReader.aliases() ?? [],
            parameters: parameters,
            requirements: access.requirements(reader, log: log),
            app: AppsReader(log: log).reference(in: reader, to: apps),
            opens: groups.edges(beside: own, of: names, count: &count, log: log),
            groups: names.isEmpty ? own.groups : names.map { $0.value },
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
        let type = ParameterType.scalar(.anyText)
        return Located(Parameter(name: name, type: type, key: key.value, isRequired: true), at: key.location)
    }
}

/// The reader of `since`: the version of the app that introduced a place, by platform.
///
/// `ios` holds for every app, and `driver.ios` for the app `driver` in addition.
struct SinceReader {
    /// The key of routes and edges.
    static let key = "since"

    /// The apps of the catalog.
    let apps: Apps

    let log: IssueLog

    /// Reads a mapping from platforms, and from apps with their platforms, to versions.
    func read(_ node: YAMLNode) -> RequiredApps {
        let platforms = AppVersion.Platform.allCases
        let declared = apps.indexes.flatMap { app in
            platforms.map { (key: "\(apps.name(of: app)).\($0.rawValue)", app: app, platform: $0) }
        }
        func isUndeclared(_ pair: YAMLPair) -> Bool {
            Self.namesApp(pair.key) && !declared.contains { $0.key.bytewise == pair.key.bytewise }
        }
        for pair in node.pairs ?? [] where isUndeclared(pair) {
            log.report(
                .unknownApp,
                at: pair.mark,
                message: "`\(pair.key)` isn't a platform of an app of this catalog.",
                hint: AppsReader.hint(for: pair.key, among: declared.map { $0.key })
            )
        }
        let known = node.pairs.map { pairs in
            YAMLNode(content: .mapping(pairs.filter { !isUndeclared($0) }), mark: node.mark)
        }
        let reader = MappingReader(
            known ?? node,
            subject: "`\(Self.key)`",
            keys: platforms.map { $0.rawValue } + declared.map { $0.key },
            log: log
        )
        func version(_ key: String) -> VersionNumber? {
            reader.value(
                key,
                as: "a version of an app",
                hint: "Write one to \(VersionNumber.maximumCount) numbers of at most "
                    + "\(VersionNumber.maximumDigitCount) digits with dots between them, such as \"3.2\".",
                parse: { VersionNumber($0) }
            )?
            .value
        }
        return RequiredApps(
            ios: version(AppVersion.Platform.ios.rawValue),
            android: version(AppVersion.Platform.android.rawValue),
            named: declared.compactMap { item in
                version(item.key).map { RequiredApps.NamedVersion(of: item.app, on: item.platform, $0) }
            }
        )
    }

    /// Returns whether a key is a platform behind a name, `driver.ios`.
    private static func namesApp(_ key: String) -> Bool {
        let parts = key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 2 && AppVersion.Platform(bytewise: Substring(parts[1])) != nil
    }
}

/// The path of every route, collected before the routes are read, because an edge may precede the route that it opens.
struct DeclaredPaths {
    private var paths: [ByteText: PathPattern] = [:]

    /// Collects the paths of the `routes` of a catalog's files.
    ///
    /// Issues are reported later, when the routes are read.
    init(_ routes: [YAMLNode]) {
        for pair in routes.lazy.flatMap({ $0.pairs ?? [] }) where pair.value["query"] == nil {
            let text = pair.value["path"]?.text ?? pair.key
            if let pattern = try? PathPattern(text) { paths[pair.key.bytewise] = pattern }
        }
    }

    /// The path of a route, or `nil` if a query key opens it.
    subscript(route: String) -> PathPattern? { paths[route.bytewise] }
}

/// The reader of a route's `shortLink`: the terms of the short links to the route.
struct ShortLinkReader {
    /// The key of routes.
    static let key = "shortLink"

    private static let keys = ["length", "within"]

    let log: IssueLog

    /// Reads the mapping.
    func read(_ node: YAMLNode, subject: String) -> ShortLinkTerms {
        let reader = MappingReader(node, subject: "`\(Self.key)` of \(subject)", keys: Self.keys, log: log)
        let lengths = ShortLinkTerms.lengths
        let length = reader.value(
            "length",
            as: "the length of a code",
            hint: "Write a whole number from \(lengths.lowerBound) to \(lengths.upperBound)."
        ) { text in
            DecimalText.parseInt(text.utf8).flatMap { lengths.contains($0) ? $0 : nil }
        }
        let life = reader.value(
            "within",
            as: "a span of time",
            hint: "Write a whole number with a unit, `30d`: w, d, h, m or s, and at most a hundred years.",
            parse: { LinkLife($0) }
        )
        return ShortLinkTerms(length: length?.value, life: life?.value)
    }
}
