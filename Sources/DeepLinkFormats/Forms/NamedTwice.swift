/// A value that a request may give in a field of its own or in a header; if in both, they must agree.
package struct NamedTwice {
    private let field: String
    private let header: String

    /// The noun for the values, in the plural.
    private let values: String

    /// Creates the names of a value.
    package init(field: String, header: String, values: String) {
        self.field = field
        self.header = header
        self.values = values
    }

    /// Returns the value; `nil` if neither has one.
    ///
    /// - Throws: ``Problem`` of code `invalid-request` if the two differ.
    package func value<Value: Equatable>(_ byField: Value?, byHeader: Value?) throws(Problem) -> Value? {
        if let byField, let byHeader, byField != byHeader {
            throw .invalidRequest(
                field: field,
                reason: .conflict,
                detail: "`\(field)` and the header `\(header)` name different \(values); name one."
            )
        }
        return byField ?? byHeader
    }
}
