/// What going to a place takes of a user.
///
/// A route has requirements, and so has each edge that leads to it; who comes that way must fulfil both. A stack takes
/// what all its destinations take together.
public struct Requirements: Hashable, Sendable {
    /// The level that the user needs.
    public let authorizationLevel: AuthorizationLevel

    /// Creates requirements; by default, nothing is required.
    public init(authorizationLevel: AuthorizationLevel = .none) {
        self.authorizationLevel = authorizationLevel
    }

    /// Returns what fulfils these and others: of the levels, the higher.
    public func merged(with other: Requirements) -> Requirements {
        Requirements(authorizationLevel: max(authorizationLevel, other.authorizationLevel))
    }
}
