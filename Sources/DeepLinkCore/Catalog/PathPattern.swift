/// Holds the segments that address a route: literals and named parameters.
public struct PathPattern: Hashable, Sendable {
    /// One segment of a pattern.
    public enum Segment: Hashable, Sendable {
        /// A segment that must be equal, byte by byte.
        case literal(String)

        /// A segment that is read as the parameter of this name.
        case parameter(String)
    }

    /// The segments in order; none for a container.
    public let segments: [Segment]

    /// Creates a pattern from its segments.
    public init(_ segments: [Segment]) {
        self.segments = segments
    }

    /// Reads a pattern such as `character/{id}`; the empty text is a container.
    ///
    /// - Throws: ``PathPatternError``, which says what is wrong in words.
    public init(_ text: String) throws(PathPatternError) {
        var segments: [Segment] = []
        if !text.isEmpty {
            for part in text.split(separator: "/", omittingEmptySubsequences: false) {
                segments.append(try Self.segment(String(part)))
            }
        }
        let names = segments.compactMap(\.parameterName)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw PathPatternError(message: "names the parameter `\(twice)` twice")
        }
        guard segments.count <= DeepLink.maximumSegmentCount else {
            throw PathPatternError(message: "has more than \(DeepLink.maximumSegmentCount) segments")
        }
        self.segments = segments
    }

    private static func segment(_ text: String) throws(PathPatternError) -> Segment {
        guard !text.isEmpty else {
            throw PathPatternError(message: "has an empty segment; leave out slashes at its ends")
        }
        guard text.hasPrefix("{"), text.hasSuffix("}") else {
            if let odd = text.unicodeScalars.first(where: isForbidden) {
                throw PathPatternError(message: "has `\(odd.escaped(asASCII: true))` in the segment `\(text)`")
            }
            guard text != ".", text != ".." else { throw PathPatternError(message: "has the segment `\(text)`") }
            return .literal(text)
        }
        let name = String(text.dropFirst().dropLast())
        guard Parameter.isName(name) else {
            throw PathPatternError(message: "has the parameter `\(text)`; a name is letters, digits, `_`, `-` and `.`")
        }
        return .parameter(name)
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || "{}*?#%\\".unicodeScalars.contains(scalar)
    }

    /// Whether the pattern takes no segment.
    public var isContainer: Bool { segments.isEmpty }

    /// The pattern as catalogs write it.
    public var text: String {
        segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter(let name): "{\(name)}"
            }
        }
        .joined(separator: "/")
    }
}

extension PathPattern.Segment {
    /// The name of the parameter, unless the segment is a literal.
    public var parameterName: String? {
        if case .parameter(let name) = self { name } else { nil }
    }
}
