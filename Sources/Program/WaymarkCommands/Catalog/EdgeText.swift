import DeepLinkCore

/// The description of a catalog's edge for a terminal.
struct EdgeText {
    private let edge: Edge

    init(_ edge: Edge) {
        self.edge = edge
    }

    /// The presentation of the child, with its special properties.
    var presentation: String {
        let marks = [edge.isInitial ? "initial" : nil, edge.isLinkable ? nil : "not linkable"].compactMap(\.self)
        let versions = edge.requirements.since.versions.map { "from \($0.platform.rawValue)/\($0.number.text)" }
        return ([edge.presentation.name] + marks + versions).joined(separator: ", ")
    }

    /// The path or query key, followed by the aliases.
    var address: String {
        let first =
            switch edge.address {
            case .path(let pattern): pattern.isContainer ? "(container)" : "/" + pattern.text
            case .query(let key): "?" + key
            }
        return ([first] + edge.aliases.map { "or /" + $0.text }).joined(separator: " ")
    }

    /// The parameters with their types.
    ///
    /// `!` marks a required query parameter, `=` a default, `:=` a fixed value, and `~` a parameter that is left out if
    /// it doesn't fit. `→ ?redirect_to` is the key of the link that is resolved in the route's place.
    var parameters: String {
        edge.parameters
            .map { parameter in
                if let link = edge.linkParameter, link === parameter { return "→ ?\(link.key)" }
                if let inheritance = parameter.inheritance { return "\(parameter.name) of \(inheritance.text)" }
                if let value = parameter.fixedValue { return "\(parameter.name) := \(value.text)" }
                let fallback = parameter.defaultValue.map { " = \($0.text)" } ?? ""
                let isNamedLikeKey = parameter.key == parameter.name && parameter.otherKeys.isEmpty
                let keys = [parameter.key] + parameter.otherKeys
                let key = isNamedLikeKey ? "" : " from \(keys.joined(separator: " or "))"
                return
                    "\(parameter.name): \(type(parameter.type))\(parameter.isRequired ? "!" : parameter.ignoresInvalid ? "~" : "")\(key)\(fallback)"
            }
            .joined(separator: ", ")
    }

    private func type(_ type: ParameterType) -> String {
        guard case .object(let fields) = type else { return type.name }
        return "{ "
            + fields.map { "\($0.name): \($0.type.name)\($0.isRequired ? "!" : "")" }.joined(separator: ", ") + " }"
    }
}
