/// The fast-path category of a type: one of the two most frequent types, or any other.
enum PlainType {
    /// Any text.
    case text

    /// Any whole number.
    case int

    /// Any other type, which needs a full comparison.
    case other

    init(_ type: ScalarType) {
        self =
            switch type {
            case .string(nil, nil, nil): .text
            case .int(nil, nil): .int
            default: .other
            }
    }
}
