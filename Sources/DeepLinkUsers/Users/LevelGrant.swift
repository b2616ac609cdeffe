package import DeepLinkCore

/// A level that a user is given, possibly for a limited time.
package struct LevelGrant: Hashable, Sendable {
    /// The level while the grant is valid.
    package let level: AuthorizationLevel

    /// The last moment at which ``level`` counts; `nil` for ever.
    package let validUntil: Timestamp?

    /// The level from then on; `nil` for one lower than ``level``.
    package let levelAfter: AuthorizationLevel?

    /// Creates a grant; `nil` if the level after would be higher than the level itself.
    package init?(level: AuthorizationLevel, validUntil: Timestamp? = nil, levelAfter: AuthorizationLevel? = nil) {
        guard (levelAfter ?? .none) <= level else { return nil }
        self.level = level
        self.validUntil = validUntil
        self.levelAfter = levelAfter
    }

    /// The level that counts at a moment.
    package func level(at time: Timestamp) -> AuthorizationLevel {
        guard let validUntil, time > validUntil else { return level }
        return levelAfter ?? level.oneLower
    }
}
