/// The reason, in words, why a text isn't a valid pattern.
package struct TextPatternError: Error, Hashable, Sendable {
    /// The fault, in words that follow the pattern's name.
    package let message: String

    /// The remedy; `nil` if any valid pattern shows it.
    package var hint: String?
}
