import DeepLinkCore

/// The `apple-app-site-association` of a host, generated from the shapes of its links.
enum AppleFile {
    /// Returns the file.
    static func json(_ space: LinkSpace, order: ShapeOrder, apps: [AppleApp]) -> [UInt8] {
        var maker = AppleRules()
        var first = order.first.map { maker.rule(for: $0, isExcluded: false) }
        let excluded = order.excluded.map { maker.rule(for: $0, isExcluded: true) }
        var rest = order.rest.map { maker.rule(for: $0, isExcluded: false) }
        rest += space.beginnings.map { AssociationRule(path: "/" + AppleRules.plain($0) + "*") }
        if !space.beginnings.isEmpty { rest.append(AssociationRule(path: "/")) }
        if space.isEverything { rest.append(AssociationRule(path: "*")) }
        // A path with repeated slashes is the same link as without them (decision record 2).
        // The exclusions could match it, so its rule comes first.
        if !rest.isEmpty || !first.isEmpty {
            let slashes = [AssociationRule(path: "*//?*")]
            if excluded.isEmpty { rest += slashes } else { first = slashes + first }
        }
        // Percent-encoded as in the URL, because the server compares its own paths that way.
        let reserved = ReservedPath.segments.map {
            AssociationRule(path: "/\($0)/*", isExcluded: true, percentEncoded: true)
        }
        let rules =
            reserved + AssociationRule.withoutCovered(first) + AssociationRule.withoutCovered(excluded)
            + AssociationRule.withoutCovered(rest)
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("applinks")
            writer.object { write(rules, apps: apps, variables: maker.variables, to: &$0) }
        }
        return writer.bytes
    }

    private static func write(
        _ rules: [AssociationRule],
        apps: [AppleApp],
        variables: [(name: String, values: [String])],
        to writer: inout JSONWriter
    ) {
        // A link has the same meaning in any encoding of its characters.
        writer.key("defaults")
        writer.object { writer in
            writer.key("percentEncoded")
            writer.value(.bool(false))
        }
        if !variables.isEmpty {
            writer.key("substitutionVariables")
            writer.object { writer in
                for variable in variables {
                    writer.key(variable.name)
                    writer.array(variable.values) { $0.string($1) }
                }
            }
        }
        writer.key("details")
        writer.array([rules]) { writer, rules in
            writer.object { writer in
                writer.key("appIDs")
                writer.array(apps) { $0.string($1.appID) }
                writer.key("components")
                writer.array(rules) { $1.write(to: &$0) }
            }
        }
    }
}

extension AssociationRule {
    /// Writes the component.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("/")
            writer.string(path)
            if isExcluded {
                writer.key("exclude")
                writer.value(.bool(true))
            }
            guard let percentEncoded else { return }
            writer.key("percentEncoded")
            writer.value(.bool(percentEncoded))
        }
    }
}
