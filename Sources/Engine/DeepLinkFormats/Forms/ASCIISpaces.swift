/// The spaces around a text.
package enum ASCIISpaces {
    /// Returns a text without the spaces around it.
    package static func trimmed(_ text: Substring.UTF8View) -> String {
        let space = UInt8(ascii: " ")
        let end = text.lastIndex { $0 != space }.map { text.index(after: $0) } ?? text.startIndex
        return String(Substring(text[..<end].drop { $0 == space }))
    }
}
