import DeepLinkCore
import DeepLinkUsers
import GRDB

/// The columns of a grant, as a row holds them.
struct GrantColumns {
    /// The columns, in the order of the properties.
    static let names = "level, valid_until, level_after, implied_level_after"

    /// The name of the level; NULL in the history of a deletion.
    let level: String?

    /// The end, in milliseconds since 1970.
    let validUntil: Int64?

    /// The name of the level after the end, as it was written.
    let levelAfter: String?

    /// The name of the level after the end that a write named none for.
    let impliedLevelAfter: String?

    /// Reads the columns of a row from an index on.
    init(_ row: Row, from index: Int) throws {
        level = try row.decode(String?.self, atIndex: index)
        validUntil = try row.decode(Int64?.self, atIndex: index + 1)
        levelAfter = try row.decode(String?.self, atIndex: index + 2)
        impliedLevelAfter = try row.decode(String?.self, atIndex: index + 3)
    }

    /// Creates the columns from their values.
    init(level: String?, validUntil: Int64?, levelAfter: String?, impliedLevelAfter: String?) {
        self.level = level
        self.validUntil = validUntil
        self.levelAfter = levelAfter
        self.impliedLevelAfter = impliedLevelAfter
    }

    /// Whether all columns are NULL, as in the history of a deletion.
    var isEmpty: Bool { level == nil && validUntil == nil && levelAfter == nil && impliedLevelAfter == nil }

    /// The grant; `nil` for values that violate the schema's constraints.
    var grant: LevelGrant? {
        let (after, implied) = (levelAfter.map(LevelName.init), impliedLevelAfter.map(LevelName.init))
        guard let level = level.flatMap(LevelName.init), after != .some(nil), implied != .some(nil),
            after == nil || implied == nil
        else { return nil }
        return LevelGrant(
            of: level,
            validUntil: validUntil.map(Timestamp.init(millisecondsSinceEpoch:)),
            levelAfter: after ?? nil,
            impliedLevelAfter: implied ?? nil
        )
    }
}

extension RowChecksum {
    /// Adds the columns of a grant.
    mutating func add(grant: LevelGrant?) {
        add(optional: grant?.level.text)
        add(grant?.validUntil?.millisecondsSinceEpoch)
        add(optional: grant?.levelAfter?.text)
        add(optional: grant?.impliedLevelAfter?.text)
    }

    /// Adds a text, or NULL.
    private mutating func add(optional text: String?) {
        if let text { add(text) } else { add(nil) }
    }
}
