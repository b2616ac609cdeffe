/// The requirements of a destination on the user and the app.
///
/// A route has requirements, and so has each edge that leads to it; both apply. A stack has the requirements of all its
/// destinations.
package struct Requirements: Hashable, Sendable {
    /// The level and the grants that the user needs.
    package let access: Requirement

    /// The app versions that have the destination.
    package let since: RequiredApps

    /// Creates requirements; by default, there are none.
    package init(
        authorizationLevel: AuthorizationLevel = .lowest,
        grants: GrantSet = [],
        since: RequiredApps = .none
    ) {
        self.init(access: Requirement(level: authorizationLevel, grants: grants), since: since)
    }

    private init(access: Requirement, since: RequiredApps) {
        self.access = access
        self.since = since
    }

    /// The level that the user needs.
    package var authorizationLevel: AuthorizationLevel { access.level }

    /// The grants that the user needs.
    package var grants: GrantSet { access.grants }

    /// Returns the combined requirements: the higher level, the grants of both and the later versions.
    package func merged(with other: Requirements) -> Requirements {
        Requirements(access: access.joined(with: other.access), since: since.merged(with: other.since))
    }
}
