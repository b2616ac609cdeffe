/// A parameter with a value that is missing from the link, or not accepted by its type.
package struct ParameterError: Error, Hashable, Sendable {
    /// The route that declares the parameter.
    package let route: String

    /// The parameter's name.
    package let parameter: String

    /// The decoded text in the link, or `nil` if it is missing, or the key has no `=`.
    package let value: String?

    /// Whether the link has the key without a value.
    package let isBare: Bool

    /// The accepted values, in words.
    package let expected: String

    /// The value's bytes in the link, or an empty range at the position of a missing value.
    let range: LinkRange

    /// The byte offset of the value in the link, or the position where it is missing.
    package var offset: Int { range.start }

    /// The byte length of the value in the link, as it was sent, or 0 if it is missing.
    package var length: Int { range.count }

    /// Returns the same error with other words for the accepted values.
    func expecting(_ expected: String) -> ParameterError {
        ParameterError(
            route: route,
            parameter: parameter,
            value: value,
            isBare: isBare,
            expected: expected,
            range: range
        )
    }

    /// Returns the same error with the offset in the link as sent.
    func placed(by path: RoutedPath) -> ParameterError {
        ParameterError(
            route: route,
            parameter: parameter,
            value: value,
            isBare: isBare,
            expected: expected,
            range: path.original(range)
        )
    }

    /// The link's text for the parameter, to follow "is".
    var foundInWords: String { value.map { "`\($0)`" } ?? (isBare ? "a key without a value" : "missing") }
}
