import DeepLinkCore
package import DeepLinkFormats

/// An `apple-app-site-association` file, read as Apple's systems read it: a value of the wrong type counts as absent.
package struct AppleAssociationFile {
    /// The entry of the file for some apps.
    ///
    /// Its rules are parsed when they are reached.
    private struct Detail {
        let apps: [String]
        let items: [JSONValue]

        /// Whether the items are components instead of legacy paths.
        let hasComponents: Bool
        let defaults: AppleDefaults
    }

    private let details: [Detail]
    private let variables: AppleVariables

    /// Reads the sections that links depend on.
    package init(_ json: JSONValue) {
        guard case .object(let root) = json, case .object(let applinks)? = root["applinks"] else {
            details = []
            variables = AppleVariables(nil)
            return
        }
        variables = AppleVariables(applinks["substitutionVariables"])
        let defaults = AppleDefaults().overridden(by: applinks["defaults"])
        switch applinks["details"] {
        case .array(let items)?: details = items.compactMap { Self.detail($0, name: nil, defaults: defaults) }
        case .object(let members)?:
            // The oldest form is an object, which has no order.
            details = members.sorted { $0.name < $1.name }
                .compactMap { Self.detail($0.value, name: $0.name.string, defaults: defaults) }
        default: details = []
        }
    }

    private static func detail(_ value: JSONValue, name: String?, defaults: AppleDefaults) -> Detail? {
        guard case .object(let members) = value else { return nil }
        // Components override legacy paths.
        let hasComponents = if case .array? = members["components"] { true } else { false }
        var rules: [JSONValue] = []
        if case .array(let items)? = members[hasComponents ? "components" : "paths"] { rules = items }
        return Detail(
            apps: apps(members, name: name),
            items: rules,
            hasComponents: hasComponents,
            defaults: defaults.overridden(by: members["defaults"])
        )
    }

    /// Returns the apps of a detail: `appIDs` override `appID`.
    private static func apps(_ members: JSONObject, name: String?) -> [String] {
        if case .array(let items)? = members["appIDs"] {
            return items.compactMap { item in
                if case .string(let text) = item { text } else { nil }
            }
        }
        if case .string(let text)? = members["appID"] { return [text] }
        return name.map { [$0] } ?? []
    }

    /// Returns the verdict on a URL, by the first matching rule in the details that name the app.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - domain: the host that serves the file, or an empty text for any host.
    ///   - app: the application identifier, or `nil` for any app: the verdict of the first that opens the URL, else of the
    ///     first with a rule for it.
    ///   - effort: the budget of steps.
    /// - Returns: the verdict, closed for another host or app.
    /// - Throws: ``MatchingEffortError``.
    package func verdict(
        on url: PlatformURL,
        domain: String,
        app: String?,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> AssociationVerdict {
        guard url.isWeb, url.isOf(domain: domain) else { return .closed }
        let parts = AppleURL(url)
        var closed: AssociationVerdict?
        var decided: Set<ByteText> = []
        for detail in details {
            let apps = detail.apps.map(\.bytewise).filter { app == nil || $0 == app?.bytewise }
            guard apps.contains(where: { !decided.contains($0) }),
                let verdict = try verdict(of: detail, on: parts, &effort)
            else { continue }
            if verdict.opens { return verdict }
            closed = closed ?? verdict
            decided.formUnion(apps)
        }
        return closed ?? .closed
    }

    /// Returns the verdict of the first matching rule, or `nil` if none matches.
    private func verdict(
        of detail: Detail,
        on url: AppleURL,
        _ effort: inout MatchingEffort
    ) throws(MatchingEffortError) -> AssociationVerdict? {
        for (index, item) in detail.items.enumerated() {
            let rule = try AppleRule(
                index,
                item: item,
                isComponent: detail.hasComponents,
                defaults: detail.defaults,
                variables: variables,
                spending: &effort
            )
            guard let rule, try rule.matches(url, spending: &effort) else { continue }
            return AssociationVerdict(opens: !rule.isExcluded, rule: rule.index, component: rule.source)
        }
        return nil
    }
}

/// The defaults of components from three levels: built in, file and app.
///
/// Apple documents `caseSensitive` and `percentEncoded`, and describes defaults as a kind of component. Its systems
/// also read `/`, `?`, `#` and `exclude` from there (decision record 20).
struct AppleDefaults {
    private(set) var values: JSONObject = [:]

    /// The keys that a component, or defaults, may have.
    private static let keys: [ByteText] = ["/", "?", "#", "exclude", "caseSensitive", "percentEncoded"]

    /// Returns the defaults overridden by a narrower level.
    ///
    /// A value of the wrong type counts as absent.
    func overridden(by value: JSONValue?) -> AppleDefaults {
        guard case .object(let object)? = value else { return self }
        var merged = self
        for key in Self.keys {
            if let value = object[key], Self.fits(value, key: key) { merged.values.set(value, for: key) }
        }
        return merged
    }

    private static func fits(_ value: JSONValue, key: ByteText) -> Bool {
        switch (key.string, value) {
        case ("/", .string), ("#", .string), ("?", .string), ("?", .object): true
        case ("exclude", .bool), ("caseSensitive", .bool), ("percentEncoded", .bool): true
        default: false
        }
    }

    /// Returns the Boolean of a key.
    func bool(_ key: ByteText, default fallback: Bool) -> Bool {
        if case .bool(let flag)? = values[key] { flag } else { fallback }
    }

    /// Returns the text of a key.
    func text(_ key: ByteText) -> String? {
        if case .string(let text)? = values[key] { text } else { nil }
    }
}
