import DeepLinkCore
import DeepLinkStorage
import GRDB

/// The columns of a user's level and grants in a row.
struct AccessColumns {
    /// The names of the columns, in the order of the properties.
    static let names = "level, valid_until, level_after, implied_level_after, grants"

    /// The name of the level, or NULL in the history of a deletion.
    let level: String?

    /// The end, in milliseconds since 1970.
    let validUntil: Int64?

    /// The name of the level after the end, as it was written.
    let levelAfter: String?

    /// The name of the level after the end, if the write named none.
    let impliedLevelAfter: String?

    /// The grants, as `GrantsCoding`.
    let grants: String?

    /// Whether all columns are NULL, as in the history of a deletion.
    var isEmpty: Bool {
        level == nil && validUntil == nil && levelAfter == nil && impliedLevelAfter == nil && grants == nil
    }

    /// The level, or `nil` if the values violate the schema's constraints.
    var heldLevel: LevelAssignment? {
        let (after, implied) = (levelAfter.map(LevelName.init), impliedLevelAfter.map(LevelName.init))
        guard let level = level.flatMap(LevelName.init), after != .some(nil), implied != .some(nil),
            after == nil || implied == nil
        else { return nil }
        return LevelAssignment(
            of: level,
            validUntil: validUntil.map(Timestamp.init(millisecondsSinceEpoch:)),
            levelAfter: after ?? nil,
            impliedLevelAfter: implied ?? nil
        )
    }
}

extension AccessColumns {
    /// Reads the columns of a row, starting at an index.
    init(_ row: Row, from index: Int) throws {
        level = try row.decode(String?.self, atIndex: index)
        validUntil = try row.decode(Int64?.self, atIndex: index + 1)
        levelAfter = try row.decode(String?.self, atIndex: index + 2)
        impliedLevelAfter = try row.decode(String?.self, atIndex: index + 3)
        grants = try row.decode(String?.self, atIndex: index + 4)
    }
}

extension RowChecksum {
    /// Adds the columns of a level.
    ///
    /// The column of the grants comes last.
    mutating func add(level: LevelAssignment?) {
        add(optional: level?.level.text)
        add(level?.validUntil?.millisecondsSinceEpoch)
        add(optional: level?.levelAfter?.text)
        add(optional: level?.impliedLevelAfter?.text)
    }

    /// Adds a text, or NULL.
    private mutating func add(optional text: String?) {
        if let text { add(text) } else { add(nil) }
    }
}
