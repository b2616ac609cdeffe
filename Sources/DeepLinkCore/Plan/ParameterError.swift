/// A parameter whose value the link lacks, or gives in a form that its type does not accept.
public struct ParameterError: Error, Hashable, Sendable {
    /// The route that declares the parameter.
    public let route: String

    /// The parameter's name.
    public let parameter: String

    /// The decoded text that stands in the link; `nil` where there is none, or only a key without `=`.
    public let value: String?

    /// Whether the key stands in the link without a value.
    public let isBare: Bool

    /// What the type accepts, in words.
    public let expected: String

    /// The byte of the link where the value stands, or where it is missing.
    public let offset: Int

    /// The same report with other words for what is accepted.
    func expecting(_ expected: String) -> ParameterError {
        ParameterError(
            route: route,
            parameter: parameter,
            value: value,
            isBare: isBare,
            expected: expected,
            offset: offset
        )
    }

    /// The same report with the place in the link as sent.
    func placed(by path: RoutedPath) -> ParameterError {
        ParameterError(
            route: route,
            parameter: parameter,
            value: value,
            isBare: isBare,
            expected: expected,
            offset: path.original(offset)
        )
    }

    /// What stands in the link, to follow "is".
    var foundInWords: String { value.map { "`\($0)`" } ?? (isBare ? "a key without a value" : "missing") }
}
