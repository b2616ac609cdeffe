/// The segments that address a route: literals and named parameters.
package struct PathPattern: Hashable, Sendable {
    /// The maximum number of optional parameters in a pattern: each of them doubles the number of paths.
    package static let maximumOptionalCount = 4

    /// One segment of a pattern.
    package enum Segment: Hashable, Sendable {
        /// A segment that must be equal, byte by byte.
        case literal(String)

        /// A segment that is read as the parameter of this name.
        case parameter(Identifier)

        /// A segment that is read as the parameter of this name if it is present.
        case optional(Identifier)

        /// One or more segments up to the end of the path, read as the list of this name.
        case rest(Identifier)

        /// A segment of literals with parameters between them, no two of them adjacent.
        case compound([Piece])

        /// A segment that may be any text, and is dropped.
        case wildcard

        /// A segment that may be any text or absent, and is dropped.
        case optionalWildcard

        /// One or more segments up to the end of the path that may be any texts, and are dropped.
        case wildcardRest
    }

    /// A part of a compound segment.
    package enum Piece: Hashable, Sendable {
        /// A text that must be equal, byte by byte.
        case literal(String)

        /// One or more characters, read as the parameter of this name.
        case parameter(Identifier)

        /// One or more characters, dropped.
        case wildcard
    }

    /// The segments in order, empty for a container.
    package let segments: [Segment]

    /// Creates a pattern from its segments.
    package init(_ segments: [Segment]) {
        self.segments = segments
    }

    /// Parses a pattern such as `character/{id}`, `list/{page?}` or `files/{path*}`.
    ///
    /// The empty text is a container.
    ///
    /// A slash before the first segment is ignored.
    ///
    /// - Throws: ``PatternError`` with a message.
    package init(_ text: String) throws(PatternError) {
        var segments: [Segment] = []
        let path = text.utf8.count > 1 && text.utf8.first == ASCII.slash ? text.utf8.dropFirst() : text.utf8[...]
        if !path.isEmpty {
            for part in path.split(separator: ASCII.slash, omittingEmptySubsequences: false) {
                segments.append(try Self.segment(String(Substring(part))))
            }
        }
        let names = segments.flatMap { $0.identifiers }.map { $0.text }
        if let twice = names.first(where: { name in names.count { $0.bytewise == name.bytewise } > 1 }) {
            throw PatternError(message: "names the parameter `\(twice)` twice")
        }
        guard segments.count <= DeepLink.maximumSegmentCount else {
            throw PatternError(message: "has more than \(DeepLink.maximumSegmentCount) segments")
        }
        guard segments.count(where: { $0.isOptional }) <= Self.maximumOptionalCount else {
            throw PatternError(message: "has more than \(Self.maximumOptionalCount) optional parameters")
        }
        if let rest = segments.dropLast().first(where: { $0.isRest }) {
            throw PatternError(message: "continues after `\(rest.text)`, which takes the rest of the path")
        }
        self.segments = segments
    }

    private static func segment(_ text: String) throws(PatternError) -> Segment {
        guard !text.isEmpty else {
            throw PatternError(
                message: "has an empty segment",
                hint: "Leave out the slash at its end, and second slashes; a container's path is `\"\"`."
            )
        }
        let braces = text.utf8.count { $0 == UInt8(ascii: "{") }
        if braces > 1 || braces == 1 && (text.utf8.first != UInt8(ascii: "{") || text.utf8.last != UInt8(ascii: "}")) {
            return .compound(try pieces(of: text))
        }
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}"), text.utf8.count > 1 else {
            if let odd = text.unicodeScalars.first(where: isForbidden) {
                throw PatternError(message: "has `\(odd.escaped(asASCII: true))` in the segment `\(text)`")
            }
            guard text.bytewise != ".", text.bytewise != ".." else {
                throw PatternError(message: "has the segment `\(text)`")
            }
            if let name = parameterOfAnotherNotation(text) {
                throw PatternError(
                    message: "has `\(text)`, which is a parameter in another notation",
                    hint: "Write `{\(name)}`."
                )
            }
            return .literal(text)
        }
        let inner = text.utf8.dropFirst().dropLast()
        let isOptional = inner.last == UInt8(ascii: "?")
        let isRest = inner.last == UInt8(ascii: "*")
        guard let name = Identifier(Substring(isOptional || isRest ? inner.dropLast() : inner)) else {
            throw PatternError(message: "has the parameter `\(text)`; a name is letters, digits, `_`, `-` and `.`")
        }
        guard name.text.bytewise != wildcardName else {
            return isOptional ? .optionalWildcard : isRest ? .wildcardRest : .wildcard
        }
        return isOptional ? .optional(name) : isRest ? .rest(name) : .parameter(name)
    }

    /// The name of a parameter that matches any text and is dropped.
    private static let wildcardName: ByteText = "_"

    /// Parses the parts of a segment such as `{postcode}-{town}`.
    private static func pieces(of text: String) throws(PatternError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != UInt8(ascii: "{") }
            if !literal.isEmpty {
                let literal = String(Substring(literal))
                if let odd = literal.unicodeScalars.first(where: isForbidden) {
                    throw PatternError(message: "has `\(odd.escaped(asASCII: true))` in the segment `\(text)`")
                }
                pieces.append(.literal(literal))
            }
            rest = rest.dropFirst(literal.count)
            guard !rest.isEmpty else { break }
            let inner = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
            guard rest.count > inner.count + 1 else {
                throw PatternError(message: "has a `{` without its `}` in the segment `\(text)`")
            }
            guard let name = Identifier(Substring(inner)) else {
                throw PatternError(
                    message: "has `{\(Substring(inner))}` in the segment `\(text)`, which isn't a valid name",
                    hint:
                        "Between literals, write plain parameters such as `{postcode}-{town}`; only a whole segment is "
                        + "optional or a rest."
                )
            }
            if case .literal? = pieces.last {
            } else if !pieces.isEmpty {
                throw PatternError(
                    message:
                        "has two parameters side by side in the segment `\(text)`, and their boundary is ambiguous",
                    hint: "Put a literal between them, such as `{postcode}-{town}`."
                )
            }
            pieces.append(name.text.bytewise == wildcardName ? .wildcard : .parameter(name))
            rest = rest.dropFirst(inner.count + 2)
        }
        return pieces
    }

    /// Returns the name of a parameter in the notation of web routers: `:id` or `<id>`.
    private static func parameterOfAnotherNotation(_ text: String) -> String? {
        let name: Substring.UTF8View
        if text.utf8.first == UInt8(ascii: ":") {
            name = text.utf8.dropFirst()
        } else if text.utf8.first == UInt8(ascii: "<"), text.utf8.last == UInt8(ascii: ">") {
            // Some include the type: `<int:id>`.
            name = text.utf8.dropFirst().dropLast().split(separator: UInt8(ascii: ":")).last ?? text.utf8.prefix(0)
        } else {
            return nil
        }
        return Identifier(Substring(name))?.text
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || "{}*?#%\\".unicodeScalars.contains(scalar)
    }

    /// Whether the pattern is empty.
    package var isContainer: Bool { segments.isEmpty }

    /// The names of the parameters, in the order of the path.
    package var parameterNames: [String] { segments.flatMap { $0.identifiers }.map { $0.text } }

    /// Whether some part of a path is dropped.
    package var hasWildcards: Bool {
        segments.contains { segment in
            switch segment {
            case .wildcard, .optionalWildcard, .wildcardRest: true
            case .compound(let pieces): pieces.contains(.wildcard)
            case .literal, .parameter, .optional, .rest: false
            }
        }
    }

    /// Returns whether a path may leave out a parameter, or `nil` if the pattern does not have the parameter.
    package func isOptional(parameter name: String) -> Bool? {
        segments.first { segment in segment.identifiers.contains { $0.text.bytewise == name.bytewise } }?.isOptional
    }

    /// The pattern in the notation of catalogs.
    package var text: String { segments.map { $0.text }.joined(separator: "/") }

    /// The segments with each optional parameter present or absent, present first and from the left.
    var expansions: [[Segment]] {
        segments.reduce([[]]) { expansions, segment in
            switch segment {
            case .optional(let name): expansions.flatMap { [$0 + [.parameter(name)], $0] }
            case .optionalWildcard: expansions.flatMap { [$0 + [.wildcard], $0] }
            case .literal, .parameter, .rest, .compound, .wildcard, .wildcardRest: expansions.map { $0 + [segment] }
            }
        }
    }
}

extension PathPattern.Segment {
    /// Compares the texts byte by byte: no literal has the braces of a parameter.
    package static func == (left: PathPattern.Segment, right: PathPattern.Segment) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }

    /// The name of the parameter that the whole segment, or the rest of the path, holds.
    package var identifier: Identifier? {
        switch self {
        case .literal, .compound, .wildcard, .optionalWildcard, .wildcardRest: nil
        case .parameter(let name), .optional(let name), .rest(let name): name
        }
    }

    /// The names of the parameters in the segment.
    package var identifiers: [Identifier] {
        switch self {
        case .literal, .wildcard, .optionalWildcard, .wildcardRest: []
        case .parameter(let name), .optional(let name), .rest(let name): [name]
        case .compound(let pieces): pieces.compactMap { $0.identifier }
        }
    }

    /// The name of the parameter that the whole segment holds, as text.
    package var parameterName: String? { identifier?.text }

    /// Whether a path may leave the segment out.
    package var isOptional: Bool {
        switch self {
        case .optional, .optionalWildcard: true
        case .literal, .parameter, .rest, .compound, .wildcard, .wildcardRest: false
        }
    }

    /// Whether the segment consumes the rest of the path.
    package var isRest: Bool {
        switch self {
        case .rest, .wildcardRest: true
        case .literal, .parameter, .optional, .compound, .wildcard, .optionalWildcard: false
        }
    }

    /// The segment in the notation of catalogs.
    package var text: String {
        switch self {
        case .literal(let text): text
        case .parameter(let name): "{\(name.text)}"
        case .optional(let name): "{\(name.text)?}"
        case .rest(let name): "{\(name.text)*}"
        case .compound(let pieces): pieces.map { $0.text }.joined()
        case .wildcard: "{_}"
        case .optionalWildcard: "{_?}"
        case .wildcardRest: "{_*}"
        }
    }
}

extension PathPattern.Piece {
    /// Compares the texts byte by byte: no literal has the braces of a parameter.
    package static func == (left: PathPattern.Piece, right: PathPattern.Piece) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }

    /// The name of the parameter.
    package var identifier: Identifier? {
        if case .parameter(let name) = self { name } else { nil }
    }

    /// The part in the notation of catalogs.
    package var text: String {
        switch self {
        case .literal(let text): text
        case .parameter(let name): "{\(name.text)}"
        case .wildcard: "{_}"
        }
    }
}
