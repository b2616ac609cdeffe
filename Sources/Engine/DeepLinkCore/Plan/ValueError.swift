/// A missing or rejected value, before its route is known.
struct ValueError: Error {
    /// The parameter's name; for a field of an object also the field's, after a dot.
    let parameter: String

    /// The decoded text in the link; `nil` if there is none.
    let value: String?

    /// Whether the link has the key without a value.
    var isBare = false

    /// The accepted values, in words.
    let expected: String

    /// The value's bytes in the link; empty, at the position where it is missing.
    let range: LinkRange
}
