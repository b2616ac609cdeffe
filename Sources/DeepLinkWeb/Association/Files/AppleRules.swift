import DeepLinkCore

/// The components for Apple's systems that shapes are converted into, with their variables.
struct AppleRules {
    /// A value of `substitutionVariables` that begins like a number and continues with any text.
    private static let number = ["-?*"] + (0...9).map { "\($0)*" }

    private(set) var variables: [(name: String, values: [String])] = []

    /// Returns the component of a shape.
    mutating func rule(for shape: LinkShape, isExcluded: Bool) -> AssociationRule {
        var path = ""
        for segment in shape.segments { path += "/" + text(of: segment) }
        if shape.segments.isEmpty { path = "/" }
        return AssociationRule(path: shape.continues ? path + "/*" : path, isExcluded: isExcluded)
    }

    private mutating func text(of segment: LinkShape.Segment) -> String {
        switch segment {
        case .literal(let text): Self.plain(text)
        case .value(.int), .value(.double): variable("number", values: Self.number)
        case .value(.uuid): [8, 4, 4, 4, 12].map { String(repeating: "$(xdigit)", count: $0) }.joined(separator: "-")
        case .value(.date): [4, 2, 2].map { String(repeating: "$(digit)", count: $0) }.joined(separator: "-")
        case .value(.enumeration), .value(.bool): words(segment.words ?? [])
        case .compound, .value(.dateTime), .value(.string): "?*"
        }
    }

    private mutating func words(_ words: [String]) -> String {
        let values = words.map(Self.plain)
        if let known = variables.first(where: { $0.values.map(\.bytewise) == values.map(\.bytewise) }) {
            return "$(\(known.name))"
        }
        return variable("words\(variables.count + 1)", values: values)
    }

    private mutating func variable(_ name: String, values: [String]) -> String {
        if !variables.contains(where: { $0.name.bytewise == name.bytewise }) { variables.append((name, values)) }
        return "$(\(name))"
    }

    /// Returns a text as a pattern; there is no escape character, but `?` can replace the first one of a variable.
    static func plain(_ text: String) -> String { text.replacing("$(", with: "?(") }
}
