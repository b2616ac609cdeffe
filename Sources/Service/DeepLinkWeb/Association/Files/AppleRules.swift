import DeepLinkCore

/// The components for Apple's systems that shapes are converted into, with their variables.
struct AppleRules {
    /// A value of `substitutionVariables` that begins like a number and continues with any text.
    private static let number = ["-?*"] + (0...9).map { "\($0)*" }

    private(set) var variables: [(name: String, values: [String])] = []

    /// The rules that exclude fragments that begin like a segment of a path.
    ///
    /// Other fragments may be queries, and so part of a link. No pattern can express a literal question mark.
    static let foreignFragments = ["$(alnum)*", "/$(alnum)*"]
        .map {
            AssociationRule(path: nil, fragment: $0, isExcluded: true)
        }

    /// Returns the components of a shape.
    ///
    /// A query may follow its fragment.
    mutating func rules(for shape: PlacedShape) -> [AssociationRule] {
        let path = path(of: shape.path)
        guard let fragment = shape.fragment else { return [AssociationRule(path: path)] }
        guard !fragment.segments.isEmpty else { return [AssociationRule(path: path, fragment: "?*")] }
        let text = text(of: fragment)
        let whole = text.utf8.last == UInt8(ascii: "*") ? text : text + "*"
        return [whole, Self.withoutSlash(whole)].map { AssociationRule(path: path, fragment: $0) }
    }

    /// Returns the components that exclude a shape from the app.
    mutating func exclusions(for shape: PlacedShape) -> [AssociationRule] {
        let path = path(of: shape.path)
        guard let fragment = shape.fragment else { return [AssociationRule(path: path, isExcluded: true)] }
        guard !fragment.segments.isEmpty else {
            return [AssociationRule(path: path, fragment: "?*", isExcluded: true)]
        }
        let text = text(of: fragment)
        return [text, fragment.continues ? text + "/*" : text + "/"].flatMap { [$0, Self.withoutSlash($0)] }
            .map { AssociationRule(path: path, fragment: $0, isExcluded: true) }
    }

    private mutating func path(of shape: LinkShape) -> String {
        let path = shape.segments.isEmpty && !shape.continues ? "/" : text(of: shape)
        return shape.continues ? path + "/*" : path
    }

    private mutating func text(of shape: LinkShape) -> String {
        var text = ""
        for segment in shape.segments { text += "/" + self.text(of: segment) }
        return text
    }

    private static func withoutSlash(_ text: String) -> String { String(Substring(text.utf8.dropFirst())) }

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

    /// Returns a text as a pattern.
    ///
    /// Patterns lack an escape character, but `?` can replace the first character of a variable.
    static func plain(_ text: String) -> String { text.replacing("$(", with: "?(") }
}
