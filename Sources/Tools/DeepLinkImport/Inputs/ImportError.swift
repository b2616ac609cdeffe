/// The reason why an input cannot be imported.
package struct ImportError: Error, Hashable, Sendable {
    /// The line of the fault, or `nil` if it has none.
    package let line: Int?

    /// The fault, as a sentence.
    package let message: String

    /// Creates an error from its parts.
    package init(line: Int? = nil, _ message: String) {
        self.line = line
        self.message = message
    }
}
