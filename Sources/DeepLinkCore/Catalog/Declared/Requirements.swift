/// What going to a place takes of a user and of the app.
///
/// A route has requirements, and so has each edge that leads to it; who comes that way must fulfil both. A stack takes
/// what all its destinations take together.
public struct Requirements: Hashable, Sendable {
    /// The level that the user needs.
    public let authorizationLevel: AuthorizationLevel

    /// The versions of the app that have the place.
    public let since: RequiredApps

    /// Creates requirements; by default, nothing is required.
    public init(authorizationLevel: AuthorizationLevel = .none, since: RequiredApps = .none) {
        self.authorizationLevel = authorizationLevel
        self.since = since
    }

    /// Returns what fulfils these and others: of the levels, the higher, and of the versions, the later.
    public func merged(with other: Requirements) -> Requirements {
        Requirements(
            authorizationLevel: max(authorizationLevel, other.authorizationLevel),
            since: since.merged(with: other.since)
        )
    }
}
