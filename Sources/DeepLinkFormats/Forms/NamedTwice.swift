/// A value that a request may name by a field of its own and by a header: by one of them, or by both the same.
package struct NamedTwice {
    private let field: String
    private let header: String

    /// The noun for the values, in the plural.
    private let values: String

    /// Says what names the value.
    package init(field: String, header: String, values: String) {
        self.field = field
        self.header = header
        self.values = values
    }

    /// Finds the value that is meant; `nil` where neither names one.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, where the two differ.
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
