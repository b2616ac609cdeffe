/// The parts of a header field between separators, such as the elements of a list (RFC 9110 §5.6.1), without the spaces
/// and tabs around them.
///
/// Fields are read as bytes. Comparing them as `Character`s would sort an attacker's combining marks (`ByteText`).
package struct FieldParts: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View?
    private let separator: UInt8

    /// Creates a sequence of the parts of a field.
    package init(of field: String, at separator: Unicode.Scalar) {
        self.init(Substring(field).utf8, at: separator)
    }

    /// Creates a sequence of the parts of a slice of a field.
    package init(_ bytes: Substring.UTF8View, at separator: Unicode.Scalar) {
        rest = bytes
        self.separator = UInt8(ascii: separator)
    }

    /// Returns the next part, or `nil` after the last.
    package mutating func next() -> Substring.UTF8View? {
        guard let bytes = rest else { return nil }
        guard let end = bytes.firstIndex(of: separator) else {
            rest = nil
            return bytes.withoutSpaceAround
        }
        rest = bytes[bytes.index(after: end)...]
        return bytes[..<end].withoutSpaceAround
    }
}

extension Substring.UTF8View {
    /// The bytes without optional white space at either end (RFC 9110 §5.6.3).
    package var withoutSpaceAround: Substring.UTF8View {
        var bytes = self
        while let byte = bytes.first, Self.isSpace(byte) { bytes.removeFirst() }
        while let byte = bytes.last, Self.isSpace(byte) { bytes.removeLast() }
        return bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

/// The removal of spaces around a text.
package enum ASCIISpaces {
    /// Returns a text without the spaces around it.
    package static func trimmed(_ text: Substring.UTF8View) -> String {
        let space = UInt8(ascii: " ")
        let end = text.lastIndex { $0 != space }.map { text.index(after: $0) } ?? text.startIndex
        return String(Substring(text[..<end].drop { $0 == space }))
    }
}

/// A list of names in one text, separated by commas and optional white space (RFC 9110 §5.6.1).
package enum NameList {
    /// Returns the names in their order, without empty ones.
    package static func items(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { ASCIISpaces.trimmed($0) }.filter { !$0.isEmpty }
    }
}
