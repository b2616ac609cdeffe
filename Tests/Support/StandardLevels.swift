package import DeepLinkCore
package import DeepLinkStorage

/// The levels of catalogs that declare none, by their names.
extension AuthorizationLevel {
    package static let none = AuthorizationLevel(rank: 0)
    package static let onboardingCompleted = AuthorizationLevel(rank: 1)
    package static let signedInUser = AuthorizationLevel(rank: 2)
    package static let premiumUser = AuthorizationLevel(rank: 3)

    /// The standard levels, the lowest first.
    package static var allCases: [AuthorizationLevel] { LevelLadder.standard.all }

    /// Creates the standard level of a name.
    package init?(name: String) {
        guard let level = LevelLadder.standard.level(named: name) else { return nil }
        self = level
    }

    /// The name in the standard ladder.
    package var name: String { LevelLadder.standard.text(of: self) }

    /// The name in the standard ladder, as users have it.
    package var levelName: LevelName { LevelLadder.standard.name(of: self) }
}

/// The names of the standard levels.
extension LevelName {
    package static let none = AuthorizationLevel.none.levelName
    package static let onboardingCompleted = AuthorizationLevel.onboardingCompleted.levelName
    package static let signedInUser = AuthorizationLevel.signedInUser.levelName
    package static let premiumUser = AuthorizationLevel.premiumUser.levelName
}

extension LevelAssignment {
    /// Creates the grant of a standard level, as a write does.
    package init?(level: AuthorizationLevel, validUntil: Timestamp? = nil, levelAfter: AuthorizationLevel? = nil) {
        guard let grant = LevelLadder.standard.heldLevel(of: level, validUntil: validUntil, levelAfter: levelAfter)
        else {
            return nil
        }
        self = grant
    }

    /// Returns the standard level that counts at a moment.
    package func level(at time: Timestamp) -> AuthorizationLevel { level(at: time, in: .standard) }
}

extension AccessNames {
    /// The names of catalogs that declare neither levels nor grants.
    package static let standard = AccessNames(levels: .standard)
}

extension UserAccess {
    /// Creates the access of a user of a standard level without grants, as a write does.
    package init?(level: AuthorizationLevel, validUntil: Timestamp? = nil) {
        guard let level = LevelAssignment(level: level, validUntil: validUntil) else { return nil }
        self.init(level: level)
    }
}

extension UserState {
    /// Returns the standard level in effect at a moment.
    package func level(at time: Timestamp) -> AuthorizationLevel { level(at: time, in: .standard) }
}

extension UserStateStore {
    /// Counts the users by the standard level that counts at a moment.
    package func levelCounts(at time: Timestamp) async throws -> LevelCounts {
        try await accessCounts(at: time).levels(in: .standard)
    }
}
