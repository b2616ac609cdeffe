import DeepLinkCore

/// The `apple-app-site-association` of a host, generated from the shapes of its links.
enum AppleFile {
    /// Returns the file.
    static func json(_ space: HostLinks, order: LinkOrder, apps: [AppleApp]) -> [UInt8] {
        var maker = AppleRules()
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
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("applinks") { write(rules, apps: apps, variables: maker.variables, to: &$0) }
        }
        return writer.bytes
    }

    private static func write(
        _ rules: [AssociationRule],
        apps: [AppleApp],
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
        writer.member("details", array: [rules]) { writer, rules in
            writer.object { writer in
                writer.member("appIDs", array: apps) { $0.string($1.appID) }
                writer.member("components", array: rules) { $1.write(to: &$0) }
            }
        }
    }
}

extension AssociationRule {
    /// Writes the component.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let path { writer.member("/", path) }
            if let fragment { writer.member("#", fragment) }
            if isExcluded { writer.member("exclude", true) }
            guard let percentEncoded else { return }
            writer.member("percentEncoded", percentEncoded)
        }
    }
}
