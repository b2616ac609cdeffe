/// The type of a parameter's values: one text of the link, several, or named parts.
package enum ParameterType: Hashable, Sendable {
    /// One text: a path segment, or the value of a query key.
    case scalar(ScalarType)

    /// Several texts of one type, bounded in number: the rest of a path, or all occurrences of a query key.
    case list(of: ScalarType, min: Int64?, max: Int64?)

    /// Named parts, each read from the query key `<parameter>.<field>`.
    case object([Parameter])

    /// The name of the type in catalogs.
    package var name: String {
        switch self {
        case .scalar(let type): type.name
        case .list(let type, _, _): "[\(type.name)]"
        case .object: "object"
        }
    }

    /// The texts that the type accepts, in words, to follow "expected".
    package var expectation: String {
        switch self {
        case .scalar(let type): type.expectation
        case .list(let type, let min?, let max?): "\(min) to \(max) values, each \(type.expectation)"
        case .list(let type, let min?, nil): "at least \(min) values, each \(type.expectation)"
        case .list(let type, nil, let max?): "at most \(max) values, each \(type.expectation)"
        case .list(let type, nil, nil): "values, each \(type.expectation)"
        case .object(let fields): "an object of " + fields.map { $0.name }.joined(separator: ", ")
        }
    }

    /// Returns the accepted texts in words, for an error about a rejected text.
    func expectation(insteadOf text: String) -> String {
        if case .scalar(let type) = self { type.expectation(insteadOf: text) } else { expectation }
    }

    /// The type of one segment of a path, or `nil` for an object, which no segment can hold.
    var segmentType: ScalarType? {
        switch self {
        case .scalar(let type), .list(let type, _, _): type
        case .object: nil
        }
    }

    /// Returns whether a number of elements is within the bounds of a list.
    func accepts(count: Int) -> Bool {
        guard case .list(_, let min, let max) = self else { return count == 1 }
        return min.map { count >= $0 } != false && max.map { count <= $0 } != false
    }
}

extension ParameterType {
    /// Converts a client's value to this type, or returns `nil` if the type does not accept it.
    ///
    /// The result equals the value read from a link: a UUID is in lower case, absent fields of an object have their
    /// defaults, and fields are in the declared order.
    ///
    /// - Complexity: linear in the value, times the fields of an object.
    package func adopt(_ value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.scalar(let type), _): return type.adopt(value)
        case (.list(let type, _, _), .list(let items)):
            let adopted = items.compactMap(type.adopt)
            return !items.isEmpty && adopted.count == items.count && accepts(count: items.count) ? .list(adopted) : nil
        case (.object(let fields), .object(let given)):
            guard let adopted = Parameter.adopt(given, for: fields, isRequired: { fields[$0].isRequired }),
                !adopted.isEmpty
            else { return nil }
            return .object(adopted)
        default: return nil
        }
    }
}
