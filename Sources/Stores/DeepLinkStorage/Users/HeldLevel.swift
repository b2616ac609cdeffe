package import DeepLinkCore

/// A level that a user has, possibly for a limited time.
///
/// Levels are kept by name, and become levels of a catalog's ladder where they are read.
package struct HeldLevel: Hashable, Sendable {
    /// The level up to its end.
    package let level: LevelName

    /// The level from the end on, whether it was written or fixed with the write.
    private let after: LevelName?

    /// The last moment at which ``level`` counts; `nil` for ever.
    package let validUntil: Timestamp?

    /// Whether ``after`` was fixed with the write, and isn't shown.
    private let isAfterImplied: Bool

    /// Creates a level with its end from their stored parts.
    ///
    /// - Parameters:
    ///   - level: The level up to its end.
    ///   - validUntil: The last moment at which the level counts; `nil` for ever.
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

    /// The level of users to whom none was written: `none`, which is the lowest of every ladder.
    package static let unwritten = HeldLevel(of: LevelLadder.standard.names[0], validUntil: nil, levelAfter: nil)

    /// The level after the end, as it was written; `nil` for none.
    package var levelAfter: LevelName? { isAfterImplied ? nil : after }

    /// The level after the end that was fixed by a write which named none: kept, and not shown.
    package var impliedLevelAfter: LevelName? { isAfterImplied ? after : nil }

    /// Returns whether the end has passed.
    package func hasEnded(at time: Timestamp) -> Bool { validUntil.map { time > $0 } ?? false }

    /// Returns the level that counts at a moment.
    ///
    /// A name that the ladder doesn't have counts as the lowest level; a level after the end that ranks above the level
    /// counts as that level.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        level(in: ladder, hasEnded: hasEnded(at: time))
    }

    /// Returns the level that counts before the end or after it.
    package func level(in ladder: LevelLadder, hasEnded: Bool) -> AuthorizationLevel {
        let level = ladder.level(stored: level) ?? .lowest
        guard hasEnded else { return level }
        // Without a name, the row was written by hand.
        guard let after else { return ladder.oneLower(than: level) }
        return min(ladder.level(stored: after) ?? .lowest, level)
    }

    /// Returns the name of the level that counts at a moment, without a ladder.
    package func name(at time: Timestamp) -> LevelName {
        guard hasEnded(at: time) else { return level }
        return after ?? LevelLadder.standard.name(of: level(in: .standard, hasEnded: true))
    }

    /// Returns the level with other names.
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
    /// Returns a level with its end, which fixes the level after its end by name; `nil` if that would be higher than
    /// the level.
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
