/// The two types that are most frequent, told from all others without looking into a type.
enum PlainType {
    /// Any text.
    case text

    /// Any whole number.
    case int

    /// Whatever takes a closer look.
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
