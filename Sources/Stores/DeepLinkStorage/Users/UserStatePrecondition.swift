/// The stored state that a change requires (RFC 9110 §13.1.1, `If-Match`, and §13.1.2, `If-None-Match`).
package enum UserStatePrecondition: Hashable, Sendable {
    /// Nothing: the change always happens.
    case none

    /// A state of any version.
    case exists

    /// A state of one of these versions.
    case version([Int])

    /// No state.
    case absent

    /// No state, or one of another version than these.
    case otherVersion([Int])

    /// Returns whether a stored version, `nil` for no state, fulfils the precondition.
    package func holds(for version: Int?) -> Bool {
        switch self {
        case .none: true
        case .exists: version != nil
        case .version(let wanted): version.map(wanted.contains) ?? false
        case .absent: version == nil
        case .otherVersion(let known): version.map { !known.contains($0) } ?? true
        }
    }
}
