/// One part of a pattern of an Apple rule.
enum ApplePatternElement: Sendable {
    /// This character.
    case character(Unicode.Scalar)

    /// One character of a class, the value of a built-in variable.
    case oneOf(AppleCharacterClass)

    /// Any one character.
    case any

    /// Any characters, or none.
    case anything

    /// One of the values of a variable.
    case values([[ApplePatternElement]])

    /// An element that matches nothing: the value of a variable that doesn't exist.
    case nothing
}

/// The built-in variables of one character.
enum AppleCharacterClass: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit

    /// Returns whether a character, or its other case if case is ignored, is in the class.
    func contains(_ scalar: Unicode.Scalar, caseSensitive: Bool) -> Bool {
        let isUpper = ("A"..."Z").contains(scalar)
        let isLower = ("a"..."z").contains(scalar)
        let isDigit = ("0"..."9").contains(scalar)
        return switch self {
        case .alpha: isUpper || isLower
        case .upper: isUpper || (!caseSensitive && isLower)
        case .lower: isLower || (!caseSensitive && isUpper)
        case .alnum: isUpper || isLower || isDigit
        case .digit: isDigit
        case .xdigit: isDigit || ("A"..."F").contains(scalar) || ("a"..."f").contains(scalar)
        }
    }
}
