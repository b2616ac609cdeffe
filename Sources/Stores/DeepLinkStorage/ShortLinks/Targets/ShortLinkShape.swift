package import DeepLinkCore

/// The routes and presentations of a stack, without its values.
///
/// A store saves each shape once for all its links, and a change of the catalog is checked shape by shape. The text has
/// a line for each destination, root first: the presentation, a space and the route. It is stored, so the text of a
/// stack must never change.
package struct ShortLinkShape: Hashable, Sendable {
    /// The shape as text.
    package let text: String

    /// Creates the shape of a stack.
    ///
    /// - Complexity: Linear in the names.
    package init(_ stack: [Destination]) {
        text = stack.map { "\($0.presentation.name) \(Self.escaped($0.route))" }.joined(separator: "\n")
    }

    /// Creates a shape from its stored text.
    package init(text: String) {
        self.text = text
    }

    /// The destinations without values, root first, or `nil` if the text is not a valid shape.
    ///
    /// - Complexity: Linear in the text.
    package var destinations: [Destination]? {
        guard !text.isEmpty else { return [] }
        var stack: [Destination] = []
        for line in text.utf8.split(separator: Self.newline, omittingEmptySubsequences: false) {
            guard let space = line.firstIndex(of: Self.space),
                let presentation = Presentation(name: String(decoding: line[..<space], as: UTF8.self)),
                let route = Self.unescaped(line[line.index(after: space)...])
            else { return nil }
            stack.append(Destination(route: route, presentation: presentation))
        }
        return stack
    }

    /// The route at the top of the stack, by which links are listed.
    ///
    /// Empty for an empty stack.
    package var route: String { destinations?.last?.route ?? "" }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let backslash = UInt8(ascii: "\\")

    /// Returns a name with line breaks escaped.
    private static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == newline || $0 == backslash }) else { return name }
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case newline: bytes += [backslash, UInt8(ascii: "n")]
            case backslash: bytes += [backslash, backslash]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the name of an escaped line, or `nil` if the line is not valid.
    private static func unescaped(_ line: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = line.makeIterator()
        while let byte = rest.next() {
            guard byte == backslash else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case backslash: bytes.append(backslash)
            case UInt8(ascii: "n"): bytes.append(newline)
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
    package static func == (left: ShortLinkShape, right: ShortLinkShape) -> Bool {
        left.text.bytewise == right.text.bytewise
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}
