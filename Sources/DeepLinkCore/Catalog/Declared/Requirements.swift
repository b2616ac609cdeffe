/// The requirements of a destination on the user and the app.
///
/// A route has requirements, and so has each edge that leads to it; both apply. A stack has the requirements of all its
/// destinations.
package struct Requirements: Hashable, Sendable {
    /// The level that the user needs.
    package let authorizationLevel: AuthorizationLevel

    /// The app versions that have the destination.
    package let since: RequiredApps

    /// Creates requirements; by default, there are none.
    package init(authorizationLevel: AuthorizationLevel = .lowest, since: RequiredApps = .none) {
        self.authorizationLevel = authorizationLevel
        self.since = since
    }

    /// Returns the combined requirements: the higher level and the later versions.
    package func merged(with other: Requirements) -> Requirements {
        Requirements(
            authorizationLevel: max(authorizationLevel, other.authorizationLevel),
            since: since.merged(with: other.since)
        )
    }
}
