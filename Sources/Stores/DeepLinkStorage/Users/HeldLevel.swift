package import DeepLinkCore

/// A level that a user has, possibly for a limited time.
///
/// Levels are stored by name, and converted to levels of a catalog's ladder when they are read.
package struct HeldLevel: Hashable, Sendable {
    /// The level until its end.
    package let level: LevelName

    /// The level after the end, either written or fixed with the write.
    private let after: LevelName?

    /// The last time at which ``level`` is valid, or `nil` if it does not expire.
    package let validUntil: Timestamp?

    /// Whether ``after`` was fixed with the write, and isn't shown.
    private let isAfterImplied: Bool

    /// Creates a level with its end from their stored parts.
    ///
    /// - Parameters:
    ///   - level: The level until its end.
    ///   - validUntil: The last time at which the level is valid, or `nil` if it does not expire.
    ///   - levelAfter: The level from then on, as it was written.
    ///   - impliedLevelAfter: The level from then on, fixed by a write that named none.
    package init(
        of level: LevelName,
        validUntil: Timestamp?,
        levelAfter: LevelName?,
        impliedLevelAfter: LevelName? = nil
    ) {
        self.level = level
        self.validUntil = validUntil
        after = levelAfter ?? impliedLevelAfter
        isAfterImplied = levelAfter == nil && impliedLevelAfter != nil
    }

    /// The level of users without a written level: `none`, which is the lowest of every ladder.
    package static let unwritten = HeldLevel(of: LevelLadder.standard.names[0], validUntil: nil, levelAfter: nil)

    /// The level after the end as it was written, or `nil` if there is none.
    package var levelAfter: LevelName? { isAfterImplied ? nil : after }

    /// The level after the end that was fixed by a write which named none.
    ///
    /// It is stored, and not shown.
    package var impliedLevelAfter: LevelName? { isAfterImplied ? after : nil }

    /// Returns whether the end has passed.
    package func hasEnded(at time: Timestamp) -> Bool { validUntil.map { time > $0 } ?? false }

    /// Returns the level at a time.
    ///
    /// A name that the ladder doesn't have counts as the lowest level. A level after the end that ranks above the level
    /// counts as that level.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        level(in: ladder, hasEnded: hasEnded(at: time))
    }

    /// Returns the level before or after the end.
    package func level(in ladder: LevelLadder, hasEnded: Bool) -> AuthorizationLevel {
        let level = ladder.level(stored: level) ?? .lowest
        guard hasEnded else { return level }
        // Without a name, the row was written manually.
        guard let after else { return ladder.oneLower(than: level) }
        return min(ladder.level(stored: after) ?? .lowest, level)
    }

    /// Returns the name of the level at a time, without a ladder.
    package func name(at time: Timestamp) -> LevelName {
        guard hasEnded(at: time) else { return level }
        return after ?? LevelLadder.standard.name(of: level(in: .standard, hasEnded: true))
    }

    /// Returns the level with its names replaced.
    package func renamed(_ name: (LevelName) -> LevelName) -> HeldLevel {
        HeldLevel(
            of: name(level),
            validUntil: validUntil,
            levelAfter: levelAfter.map(name),
            impliedLevelAfter: impliedLevelAfter.map(name)
        )
    }
}

extension LevelLadder {
    /// Returns a level with its end, which fixes the level after its end by name, or returns `nil` if that would be
    /// higher than the level.
    package func heldLevel(
        of level: AuthorizationLevel,
        validUntil: Timestamp? = nil,
        levelAfter: AuthorizationLevel? = nil
    ) -> HeldLevel? {
        guard (levelAfter ?? .lowest) <= level else { return nil }
        let isFixed = validUntil != nil && levelAfter == nil
        return HeldLevel(
            of: name(of: level),
            validUntil: validUntil,
            levelAfter: levelAfter.map(name(of:)),
            impliedLevelAfter: isFixed ? name(of: oneLower(than: level)) : nil
        )
    }
}
