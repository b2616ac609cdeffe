package import DeepLinkCore

/// The routes and presentations of a stack, without its values.
///
/// Links of one shape share it in a store, and a change of the catalog is checked shape by shape. Its text has a line for
/// each destination, root first: the presentation, a space and the route. It never changes for a stack, since stores hold
/// it.
package struct ShortLinkShape: Hashable, Sendable {
    /// The shape as text.
    package let text: String

    /// Takes the shape of a stack.
    ///
    /// - Complexity: linear in the names.
    package init(_ stack: [Destination]) {
        text = stack.map { "\($0.presentation.name) \(Self.escaped($0.route))" }.joined(separator: "\n")
    }

    /// Takes the text of a stored shape.
    package init(text: String) {
        self.text = text
    }

    /// The destinations, root first, without values; `nil` for a text that no shape has.
    ///
    /// - Complexity: linear in the text.
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

    /// The route on top, by which links are listed; empty for an empty stack.
    package var route: String { destinations?.last?.route ?? "" }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let backslash = UInt8(ascii: "\\")

    /// Returns a name in one line.
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

    /// Returns the name that a line has; `nil` for a line that no name makes.
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

    /// Compares the bytes.
    package static func == (left: ShortLinkShape, right: ShortLinkShape) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.bytewise) }
}
