import DeepLinkCore
import GRDB

/// Maps a row of `user_state` to a `UserState` and back.
struct UserStateRecord: FetchableRecord {
    static let table = "user_state"

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
            guard let id = UserID(id) else { throw StoreDamage(table: Self.table) }
            let grant = try LevelGrant(rank: level, validUntil: validUntil, rankAfter: levelAfter)
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

extension LevelGrant {
    /// Reads the columns `level`, `valid_until` and `level_after`.
    ///
    /// - Throws: ``StoreDamage`` for what the schema's constraints forbid.
    init(rank: Int, validUntil: Int64?, rankAfter: Int?) throws(StoreDamage) {
        let after = rankAfter.map { AuthorizationLevel(rank: $0) }
        guard let level = AuthorizationLevel(rank: rank), after != .some(nil),
            let grant = LevelGrant(
                level: level,
                validUntil: validUntil.map(Timestamp.init(millisecondsSinceEpoch:)),
                levelAfter: after ?? nil
            )
        else { throw StoreDamage(table: UserStateRecord.table) }
        self = grant
    }
}
