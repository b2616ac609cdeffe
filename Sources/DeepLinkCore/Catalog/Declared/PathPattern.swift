/// The segments that address a route: literals and named parameters.
public struct PathPattern: Hashable, Sendable {
    /// The most optional parameters a pattern may have; each doubles the paths that it stands for.
    public static let maximumOptionalCount = 4

    /// One segment of a pattern.
    public enum Segment: Hashable, Sendable {
        /// A segment that must be equal, byte by byte.
        case literal(String)

        /// A segment that is read as the parameter of this name.
        case parameter(Identifier)

        /// A segment that is read as the parameter of this name where it is present.
        case optional(Identifier)

        /// One or more segments up to the end of the path, read as the list of this name.
        case rest(Identifier)
    }

    /// The segments in order; none for a container.
    public let segments: [Segment]

    /// Creates a pattern from its segments.
    public init(_ segments: [Segment]) {
        self.segments = segments
    }

    /// Reads a pattern such as `character/{id}`, `list/{page?}` or `files/{path*}`; the empty text is a container.
    ///
    /// - Throws: ``PathPatternError``, which says what is wrong in words.
    public init(_ text: String) throws(PathPatternError) {
        var segments: [Segment] = []
        if !text.isEmpty {
            for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                segments.append(try Self.segment(String(Substring(part))))
            }
        }
        let names = segments.compactMap(\.parameterName)
        if let twice = names.first(where: { name in names.count { $0.bytewise == name.bytewise } > 1 }) {
            throw PathPatternError(message: "names the parameter `\(twice)` twice")
        }
        guard segments.count <= DeepLink.maximumSegmentCount else {
            throw PathPatternError(message: "has more than \(DeepLink.maximumSegmentCount) segments")
        }
        guard segments.count(where: \.isOptional) <= Self.maximumOptionalCount else {
            throw PathPatternError(message: "has more than \(Self.maximumOptionalCount) optional parameters")
        }
        if let rest = segments.dropLast().first(where: \.isRest) {
            throw PathPatternError(message: "goes on after `\(rest.text)`, which takes the rest of the path")
        }
        self.segments = segments
    }

    private static func segment(_ text: String) throws(PathPatternError) -> Segment {
        guard !text.isEmpty else {
            throw PathPatternError(message: "has an empty segment; leave out slashes at its ends")
        }
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}"), text.utf8.count > 1 else {
            if let odd = text.unicodeScalars.first(where: isForbidden) {
                throw PathPatternError(message: "has `\(odd.escaped(asASCII: true))` in the segment `\(text)`")
            }
            guard text.bytewise != ".", text.bytewise != ".." else {
                throw PathPatternError(message: "has the segment `\(text)`")
            }
            if let name = parameterOfAnotherNotation(text) {
                throw PathPatternError(
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
            throw PathPatternError(message: "has the parameter `\(text)`; a name is letters, digits, `_`, `-` and `.`")
        }
        return isOptional ? .optional(name) : isRest ? .rest(name) : .parameter(name)
    }

    /// The name of a parameter as routers write it for the web: `:id` or `<id>`.
    private static func parameterOfAnotherNotation(_ text: String) -> String? {
        let name: Substring.UTF8View
        if text.utf8.first == UInt8(ascii: ":") {
            name = text.utf8.dropFirst()
        } else if text.utf8.first == UInt8(ascii: "<"), text.utf8.last == UInt8(ascii: ">") {
            // Some say the type too: `<int:id>`.
            name = text.utf8.dropFirst().dropLast().split(separator: UInt8(ascii: ":")).last ?? text.utf8.prefix(0)
        } else {
            return nil
        }
        return Identifier(Substring(name))?.text
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || "{}*?#%\\".unicodeScalars.contains(scalar)
    }

    /// Whether the pattern takes no segment.
    public var isContainer: Bool { segments.isEmpty }

    /// The names of the parameters, in the order of the path.
    public var parameterNames: [String] { segments.compactMap(\.parameterName) }

    /// The pattern as catalogs write it.
    public var text: String { segments.map(\.text).joined(separator: "/") }

    /// The segments with each optional parameter present or absent, present first and from the left.
    var expansions: [[Segment]] {
        segments.reduce([[]]) { expansions, segment in
            guard case .optional(let name) = segment else { return expansions.map { $0 + [segment] } }
            return expansions.flatMap { [$0 + [.parameter(name)], $0] }
        }
    }
}

extension PathPattern.Segment {
    /// Compares the kinds, and the texts byte by byte.
    public static func == (left: PathPattern.Segment, right: PathPattern.Segment) -> Bool {
        switch (left, right) {
        case (.literal(let one), .literal(let other)): one.bytewise == other.bytewise
        case (.parameter(let one), .parameter(let other)), (.optional(let one), .optional(let other)),
            (.rest(let one), .rest(let other)):
            one == other
        default: false
        }
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }

    /// The name of the parameter, unless the segment is a literal.
    public var identifier: Identifier? {
        switch self {
        case .literal: nil
        case .parameter(let name), .optional(let name), .rest(let name): name
        }
    }

    /// The text of the parameter's name, unless the segment is a literal.
    public var parameterName: String? { identifier?.text }

    /// Whether a path may leave the segment out.
    public var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// Whether the segment takes everything up to the end of the path.
    public var isRest: Bool {
        if case .rest = self { true } else { false }
    }

    /// The segment as catalogs write it.
    public var text: String {
        switch self {
        case .literal(let text): text
        case .parameter(let name): "{\(name.text)}"
        case .optional(let name): "{\(name.text)?}"
        case .rest(let name): "{\(name.text)*}"
        }
    }
}
