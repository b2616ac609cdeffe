/// Says why a path that matches still makes no stack.
enum StackFailure: Error, Hashable, Sendable {
    /// A parameter is missing or does not fit.
    case invalidParameter(InvalidParameter)

    /// The query wants to open several destinations over one screen.
    case conflictingDestinations([String])

    /// Adds what an alternative expected of the same value.
    func joined(with other: StackFailure) -> StackFailure {
        guard case .invalidParameter(let one) = self, case .invalidParameter(let two) = other,
            one.parameter == two.parameter, one.offset == two.offset, one.expected != two.expected
        else { return self }
        return .invalidParameter(one.expecting("\(one.expected) or \(two.expected)"))
    }
}
