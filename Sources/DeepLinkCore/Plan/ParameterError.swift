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

    /// The bytes of the link that are the value; none, at the place where it is missing.
    let range: LinkRange

    /// The byte of the link where the value stands, or where it is missing.
    public var offset: Int { range.start }

    /// The bytes of the link that the value takes, as it was sent; 0 where it is missing.
    public var length: Int { range.count }

    /// The same report with other words for what is accepted.
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

    /// What stands in the link, to follow "is".
    var foundInWords: String { value.map { "`\($0)`" } ?? (isBare ? "a key without a value" : "missing") }
}
