/// The values of one header field, in the order of the request: mostly none, or one.
package enum FieldValues: Sendable {
    case none
    case one(String)
    case several([String])

    /// Adds a value.
    package mutating func append(_ value: String) {
        switch self {
        case .none: self = .one(value)
        case .one(let first): self = .several([first, value])
        case .several(let values): self = .several(values + [value])
        }
    }

    /// The first value; `nil` if the request does not have the field.
    package var first: String? {
        switch self {
        case .none: nil
        case .one(let value): value
        case .several(let values): values.first
        }
    }

    /// The number of times the field is in the request.
    package var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .several(let values): values.count
        }
    }

    /// All values.
    package var all: [String] {
        switch self {
        case .none: []
        case .one(let value): [value]
        case .several(let values): values
        }
    }

    /// Returns whether a condition holds for one of the values.
    package func contains(where holds: (String) -> Bool) -> Bool {
        switch self {
        case .none: false
        case .one(let value): holds(value)
        case .several(let values): values.contains(where: holds)
        }
    }

    /// The values as one list (RFC 9110 §5.3); `nil` if the request does not have the field.
    package var joined: String? {
        switch self {
        case .none: nil
        case .one(let value): value
        case .several(let values): values.joined(separator: ", ")
        }
    }

    /// Returns whether the field lists a token, in any case (RFC 9110 §5.6.1).
    package func hasToken(_ token: String) -> Bool {
        contains { field in FieldParts(of: field, at: ",").contains { $0.isWord(token) } }
    }
}
