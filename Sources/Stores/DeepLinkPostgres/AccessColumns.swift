import DeepLinkCore
import DeepLinkStorage

/// The columns of a user's level and grants.
///
/// Levels are stored by name, and by rank for replicas of earlier versions.
///
/// A name counts only if it was written with the row's current version and rank. A replica of an earlier version does
/// not update it, and neither does a manual change of the rank. The name of the rank is used then.
enum AccessColumns {
    /// The names of the standard levels, as an SQL array.
    private static let names = "(ARRAY['\(LevelLadder.standard.names.map(\.text).joined(separator: "', '"))'])"

    /// The columns of `user_state`: level, its end, the level after it, the implied one, and the grants
    /// (`GrantsCoding`).
    static let ofState = columns(of: "", isNamed: "named_version = version AND named_level = level")

    /// The columns of `user_history`.
    ///
    /// Its rows never change.
    static let ofChange = columns(of: "change.", isNamed: "change.level_name IS NOT NULL")

    /// The columns of `user_history` in a query of that table alone.
    static let ofOwnChange = columns(of: "", isNamed: "level_name IS NOT NULL")

    private static func columns(of table: String, isNamed: String) -> String {
        """
        CASE WHEN \(isNamed) THEN \(table)level_name ELSE \(names)[\(table)level + 1] END,
        \(table)valid_until,
        CASE WHEN \(isNamed) THEN \(table)level_after_name ELSE \(names)[\(table)level_after + 1] END,
        CASE WHEN \(isNamed) THEN \(table)implied_level_after
            WHEN \(table)valid_until IS NOT NULL AND \(table)level_after IS NULL
            THEN \(names)[greatest(\(table)level, 1)] END,
        \(table)grants
        """
    }

    /// The effective time of the level of a user without a written level.
    ///
    /// The column rejects NULL, for replicas of earlier versions.
    static let never = Timestamp(millisecondsSinceEpoch: .min)

    /// Returns the rank of a name for replicas of earlier versions: the rank of a standard level, or the lowest.
    static func rank(_ name: LevelName) -> Int64 { Int64(LevelLadder.standard.level(stored: name)?.rank ?? 0) }

    /// Returns the values of the columns `level`, `valid_until`, `level_after`, `level_name`, `level_after_name` and
    /// `implied_level_after` for some rows.
    static func values(_ levels: [LevelAssignment?]) -> [SQLValue] {
        [
            .numbers(levels.map { $0.map { rank($0.level) } }),
            .numbers(levels.map { $0?.validUntil?.millisecondsSinceEpoch }),
            // The schema of earlier versions rejects a level after the end above the level.
            .numbers(
                levels.map { level in level?.levelAfter.map { min(rank($0), level.map { rank($0.level) } ?? 0) } }
            ),
            .texts(levels.map { $0?.level.text }),
            .texts(levels.map { $0?.levelAfter?.text }),
            .texts(levels.map { $0?.impliedLevelAfter?.text }),
        ]
    }
}
