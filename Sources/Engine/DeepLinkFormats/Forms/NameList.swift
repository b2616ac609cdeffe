/// A list of names in one text, separated by commas, with spaces around them or not (RFC 9110 §5.6.1).
package enum NameList {
    /// Returns the names, in their order; empty ones are left out.
    package static func items(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { ASCIISpaces.trimmed($0) }.filter { !$0.isEmpty }
    }
}
