import DeepLinkCore
import GRDB

/// Maps a row of `user_history`, one change of one user, to a `UserChange` and back.
struct UserHistoryRecord: FetchableRecord {
    private static let table = "user_history"

    private let userID: String
    private let version: Int
    private let level: Int?
    private let at: Int64
    private let author: String

    init(_ change: UserChange, of id: UserID) {
        userID = id.text
        version = change.version
        level = change.level.map { Int($0.rawValue) }
        at = change.at.millisecondsSinceEpoch
        author = change.author
    }

    init(row: Row) throws {
        userID = row["user_id"]
        version = row["version"]
        level = row["level"]
        at = row["at"]
        author = row["author"]
    }

    /// Adds the row.
    func insert(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO user_history (user_id, version, level, at, author) VALUES (?, ?, ?, ?, ?)"
        )
        try statement.execute(arguments: [userID, version, level, at, author])
    }

    /// The change that the row stands for.
    ///
    /// - Throws: ``StoreDamage`` for a row that the schema's constraints forbid.
    var change: UserChange {
        get throws {
            let level = level.map { AuthorizationLevel(rank: $0) }
            guard level != .some(nil) else { throw StoreDamage(table: Self.table) }
            return UserChange(
                version: version,
                level: level ?? nil,
                at: Timestamp(millisecondsSinceEpoch: at),
                author: author
            )
        }
    }
}
