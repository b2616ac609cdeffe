import DeepLinkCore
package import DeepLinkFormats

/// An `apple-app-site-association` file, read as Apple's systems read it: what is of the wrong type is not there.
package struct AppleAssociationFile {
    /// What the file says of some apps.
    private struct Detail {
        let apps: [String]
        let rules: [AppleRule]
    }

    private let details: [Detail]

    /// Reads the sections that links depend on.
    package init(_ json: JSONValue) {
        guard case .object(let root) = json, case .object(let applinks)? = root["applinks"] else {
            details = []
            return
        }
        let variables = AppleVariables(applinks["substitutionVariables"])
        let defaults = AppleDefaults().overridden(by: applinks["defaults"])
        switch applinks["details"] {
        case .array(let items)?: details = items.compactMap { Self.detail($0, nil, defaults, variables) }
        case .object(let members)?:
            // The oldest form has no order.
            details = members.sorted { $0.name < $1.name }
                .compactMap { Self.detail($0.value, $0.name.string, defaults, variables) }
        default: details = []
        }
    }

    private static func detail(
        _ value: JSONValue,
        _ name: String?,
        _ defaults: AppleDefaults,
        _ variables: AppleVariables
    ) -> Detail? {
        guard case .object(let members) = value else { return nil }
        let own = defaults.overridden(by: members["defaults"])
        return Detail(apps: apps(members, name), rules: rules(members, own, variables))
    }

    /// The apps of a detail: where there are `appIDs`, an `appID` beside them means nothing.
    private static func apps(_ members: JSONObject, _ name: String?) -> [String] {
        if case .array(let items)? = members["appIDs"] {
            return items.compactMap { item in
                if case .string(let text) = item { text } else { nil }
            }
        }
        if case .string(let text)? = members["appID"] { return [text] }
        return name.map { [$0] } ?? []
    }

    /// The rules of a detail: where there are components, legacy paths beside them mean nothing.
    private static func rules(
        _ members: JSONObject,
        _ defaults: AppleDefaults,
        _ variables: AppleVariables
    ) -> [AppleRule] {
        if case .array(let items)? = members["components"] {
            return items.enumerated()
                .compactMap { index, item in
                    if case .object = item { AppleRule(index, item, defaults, variables) } else { nil }
                }
        }
        guard case .array(let items)? = members["paths"] else { return [] }
        return items.enumerated()
            .compactMap { index, item in
                if case .string(let text) = item {
                    AppleRule(index, legacyPath: text, defaults, variables)
                } else {
                    nil
                }
            }
    }

    /// Decides about a URL: the first rule that matches, of the details that name the app.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - domain: the host that serves the file; empty for any.
    ///   - app: the application identifier; `nil` for any app.
    ///   - effort: what it may cost.
    /// - Returns: the verdict, which is closed for another host or app.
    /// - Throws: ``MatchingEffortError``.
    package func verdict(
        on url: PlatformURL,
        domain: String,
        app: String?,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> AssociationVerdict {
        guard url.isWeb, url.isOf(domain: domain) else { return .closed }
        for detail in details {
            guard let app else {
                guard !detail.apps.isEmpty, let verdict = try detail.rules.verdict(on: url, &effort) else { continue }
                return verdict
            }
            guard detail.apps.contains(where: { $0.bytewise == app.bytewise }),
                let verdict = try detail.rules.verdict(on: url, &effort)
            else { continue }
            return verdict
        }
        return .closed
    }
}

extension [AppleRule] {
    /// The verdict of the first rule that matches; `nil` where none does.
    fileprivate func verdict(
        on url: PlatformURL,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> AssociationVerdict? {
        for rule in self where try rule.matches(url, &effort) {
            return AssociationVerdict(opens: !rule.isExcluded, rule: rule.index, component: rule.source)
        }
        return nil
    }
}
