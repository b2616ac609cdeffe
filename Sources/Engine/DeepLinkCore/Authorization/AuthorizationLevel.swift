/// A user's authorization level: a rung of the ladder that a catalog declares.
///
/// Each level includes all lower ones. Names belong to the ladder (``LevelLadder``); levels of different catalogs are
/// compared by their names.
///
/// ```swift
/// let level = catalog.levels.level(named: "signedInUser")
/// AuthorizationLevel.lowest < level ?? .lowest  // true
/// ```
package struct AuthorizationLevel: Comparable, Hashable, Sendable {
    /// The number of lower levels in the ladder.
    package let rank: UInt8

    /// Creates the level with a number of lower ones.
    package init(rank: UInt8) {
        self.rank = rank
    }

    /// The first level of every ladder, which everyone has.
    package static let lowest = AuthorizationLevel(rank: 0)

    /// A level above those of every ladder, which opens every route.
    package static var highest: AuthorizationLevel { AuthorizationLevel(rank: .max) }

    /// Orders the lower level first.
    package static func < (left: AuthorizationLevel, right: AuthorizationLevel) -> Bool { left.rank < right.rank }
}
