/// One part of a pattern of Apple's.
enum ApplePatternElement: Sendable {
    /// This character.
    case character(Unicode.Scalar)

    /// One character of a class, with which a built-in variable names them.
    case oneOf(AppleCharacterClass)

    /// One character, whichever it is.
    case any

    /// Any characters, or none.
    case anything

    /// One of the values of a variable.
    case values([[ApplePatternElement]])

    /// Nothing that a URL could have: the value of a variable that does not exist.
    case nothing
}

/// The built-in variables of one character.
enum AppleCharacterClass: String, CaseIterable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit

    /// Returns whether a character is in the class; without regard to case, one whose other case is.
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
