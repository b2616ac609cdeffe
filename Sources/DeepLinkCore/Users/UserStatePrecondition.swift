/// What must be stored for a change to happen (RFC 9110 §13.1.1, `If-Match`).
public enum UserStatePrecondition: Hashable, Sendable {
    /// Nothing: the change always happens.
    case none

    /// Some state, of whatever version.
    case exists

    /// A state of one of these versions.
    case version([Int])

    /// Returns whether a stored version, `nil` for no state, fulfils the precondition.
    public func holds(for version: Int?) -> Bool {
        switch self {
        case .none: true
        case .exists: version != nil
        case .version(let wanted): version.map(wanted.contains) ?? false
        }
    }
}
