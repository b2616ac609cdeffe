import DeepLinkCore

/// The `apple-app-site-association` of a host, generated from the shapes of its links.
enum AppleFile {
    /// Returns the file: the links of each app, and the apps that share the host's passwords or have a clip.
    static func json(_ handed: [HandedLinks]) -> [UInt8] {
        var maker = AppleRules()
        let details = handed.map { (apps: $0.app.apple, rules: rules($0.links, order: $0.order, &maker)) }
        let apps = details.flatMap(\.apps)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("applinks") { write(details, variables: maker.variables, to: &$0) }
            write("webcredentials", apps: apps.filter(\.sharesCredentials).map(\.appID), to: &writer)
            write("appclips", apps: apps.compactMap(\.clip), to: &writer)
        }
        return writer.bytes
    }

    /// Returns the components of one app.
    private static func rules(
        _ space: HostLinks,
        order: LinkOrder,
        _ maker: inout AppleRules
    ) -> [AssociationRule] {
        var further = space.beginnings.map { AssociationRule(path: "/" + AppleRules.plain($0) + "*") }
        if !space.beginnings.isEmpty { further.append(AssociationRule(path: "/")) }
        if space.isEverything { further.append(AssociationRule(path: "*")) }
        // Percent-encoded as in the URL, because the server compares its own paths that way.
        var rules = ReservedPath.segments.map {
            AssociationRule(path: "/\($0)/*", isExcluded: true, percentEncoded: true)
        }
        for order in order.fragments where order.opens || !order.excluded.isEmpty {
            rules += AssociationRule.all(
                order,
                slashes: order.opens
                    ? [AssociationRule(path: nil, fragment: "*//*"), AssociationRule(path: "*//?*", fragment: "?*")]
                    : [],
                excluding: { maker.exclusions(for: $0) },
                opening: { maker.rules(for: $0) }
            )
        }
        if space.routesFragments { rules += AppleRules.foreignFragments }
        rules += AssociationRule.all(
            order.paths,
            slashes: order.paths.opens || !further.isEmpty ? [AssociationRule(path: "*//?*")] : [],
            further: further,
            excluding: { maker.exclusions(for: $0) },
            opening: { maker.rules(for: $0) }
        )
        return rules
    }

    /// Writes a section that only lists apps, unless it is empty.
    private static func write(_ section: String, apps: [String], to writer: inout JSONWriter) {
        guard !apps.isEmpty else { return }
        writer.member(section) { $0.member("apps", texts: apps) }
    }

    private static func write(
        _ details: [(apps: [AppleApp], rules: [AssociationRule])],
        variables: [(name: String, values: [String])],
        to writer: inout JSONWriter
    ) {
        // A link has the same meaning in any percent-encoding.
        writer.member("defaults") { writer in
            writer.member("percentEncoded", false)
        }
        if !variables.isEmpty {
            writer.member("substitutionVariables") { writer in
                for variable in variables { writer.member(variable.name, texts: variable.values) }
            }
        }
        writer.member("details", array: details) { writer, detail in
            writer.object { writer in
                writer.member("appIDs", array: detail.apps) { $0.string($1.appID) }
                writer.member("components", array: detail.rules) { $1.write(value: "?*", to: &$0) }
            }
        }
    }
}

extension AssociationRule {
    /// Writes the component.
    ///
    /// - Parameters:
    ///   - value: the pattern of a key's value that isn't empty.
    ///   - writer: the writer.
    func write(value: String, to writer: inout JSONWriter) {
        writer.object { writer in
            if let path { writer.member("/", path) }
            if let key { writer.member("?") { $0.member(key, value) } }
            if let fragment { writer.member("#", fragment) }
            if isExcluded { writer.member("exclude", true) }
            guard let percentEncoded else { return }
            writer.member("percentEncoded", percentEncoded)
        }
    }
}
