/// The reason, in words, why a text isn't a valid path pattern.
package struct PathPatternError: Error, Hashable, Sendable {
    /// The fault, in words that follow the pattern.
    package let message: String

    /// The remedy; `nil` if any valid pattern shows it.
    package var hint: String?
}
