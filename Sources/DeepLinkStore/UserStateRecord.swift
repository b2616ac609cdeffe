import DeepLinkCore
import GRDB

/// Maps a row of `user_state` to a `UserState` and back.
struct UserStateRecord: FetchableRecord {
    private static let table = "user_state"

    private let id: String
    private let level: Int
    private let validUntil: Int64?
    private let levelAfter: Int?
    private let version: Int
    private let updatedAt: Int64

    init(_ state: UserState) {
        id = state.id.text
        level = Int(state.grant.level.rawValue)
        validUntil = state.grant.validUntil?.millisecondsSinceEpoch
        levelAfter = state.grant.levelAfter.map { Int($0.rawValue) }
        version = state.version
        updatedAt = state.updatedAt.millisecondsSinceEpoch
    }

    init(row: Row) throws {
        id = row["id"]
        level = row["level"]
        validUntil = row["valid_until"]
        levelAfter = row["level_after"]
        version = row["version"]
        updatedAt = row["updated_at"]
    }

    /// Writes the row in place of the user's former one.
    func replace(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO user_state (id, level, valid_until, level_after, version, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    level = excluded.level, valid_until = excluded.valid_until, level_after = excluded.level_after,
                    version = excluded.version, updated_at = excluded.updated_at
                """
        )
        try statement.execute(arguments: [id, level, validUntil, levelAfter, version, updatedAt])
    }

    /// The state that the row stands for.
    ///
    /// - Throws: ``StoreDamage`` for a row that the schema's constraints forbid.
    var state: UserState {
        get throws {
            let after = levelAfter.map { AuthorizationLevel(rank: $0) }
            guard let id = UserID(id), let level = AuthorizationLevel(rank: level), after != .some(nil),
                let grant = LevelGrant(
                    level: level,
                    validUntil: validUntil.map(Timestamp.init(millisecondsSinceEpoch:)),
                    levelAfter: after ?? nil
                )
            else { throw StoreDamage(table: Self.table) }
            return UserState(
                id: id,
                grant: grant,
                version: version,
                updatedAt: Timestamp(millisecondsSinceEpoch: updatedAt)
            )
        }
    }
}

extension AuthorizationLevel {
    /// Reads the rank that the database stores.
    init?(rank: Int) {
        guard let rank = UInt8(exactly: rank) else { return nil }
        self.init(rawValue: rank)
    }
}
