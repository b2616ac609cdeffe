/// The narrowness of a path parameter: narrower ones are tried first.
///
/// Literals come before all of these. Two types of one rank that share a text make their routes ambiguous.
enum Specificity: Int, Comparable {
    case compound
    case enumeration
    case exact
    case double
    case pattern
    case text
    case rest

    init(_ type: ScalarType) {
        switch type {
        case .enumeration: self = .enumeration
        case .int, .bool, .uuid, .date, .dateTime: self = .exact
        case .double: self = .double
        case .string(_, _, let pattern): self = pattern == nil ? .text : .pattern
        }
    }

    static func < (left: Specificity, right: Specificity) -> Bool { left.rawValue < right.rawValue }
}
