/// A value that is missing or does not fit, before anyone says which route asked for it.
struct ValueError: Error {
    /// The parameter's name; for a field of an object also the field's, after a dot.
    let parameter: String

    /// The decoded text that stands in the link; `nil` where there is none.
    let value: String?

    /// Whether the key stands in the link without a value.
    var isBare = false

    /// What the type accepts, in words.
    let expected: String

    /// The bytes of the link that are the value; none, at the place where it is missing.
    let range: LinkRange
}
