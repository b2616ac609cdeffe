import DeepLinkCore

/// The rules for addresses outside the catalog: https, and a host that the catalog lists.
struct AddressRules {
    let site: Site
    let log: IssueLog

    /// Reads the address of a key, or returns `nil` if it is absent or invalid.
    ///
    /// `type` returns the type of a parameter by its name.
    func pattern(_ key: String, of reader: MappingReader, type: (String) -> ParameterType?) -> FallbackPattern? {
        guard let text = reader.locatedString(key) else { return nil }
        let subject = reader.subject
        guard let pattern = FallbackPattern(text.value) else {
            log.report(
                .invalidWeb,
                at: text.location,
                message: "`\(key)` of \(subject), `\(text.value)`, isn't an https address.",
                hint:
                    "Write one such as `https://www.example.com/p`, percent-encoded; parameters follow the host."
            )
            return nil
        }
        if !site.hosts.contains(where: { $0.bytewise == pattern.host.bytewise }) {
            log.report(
                .invalidWeb,
                at: text.location,
                message:
                    "`\(key)` of \(subject) leads to `\(pattern.host)`, a host that `hosts` of `web` does not list.",
                hint: SpellingSuggestion.hint(
                    for: pattern.host,
                    among: site.hosts,
                    otherwise: "Add it: `web: { hosts: [\(pattern.host)] }`."
                )
            )
        }
        for name in pattern.template.names {
            switch type(name) {
            case .scalar?: break
            case nil:
                log.report(
                    .invalidWeb,
                    at: text.location,
                    message: "`\(key)` of \(subject) names the parameter `\(name)`, which it does not have.",
                    hint: "Name one of the route's parameters, or write the address without it."
                )
            case .list?, .object?:
                log.report(
                    .invalidWeb,
                    at: text.location,
                    message: "`\(key)` of \(subject) names the parameter `\(name)`, which isn't a single value.",
                    hint: "Name a parameter of one value."
                )
            }
        }
        return pattern
    }
}
