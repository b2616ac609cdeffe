import DeepLinkCore
import GRDB

/// Adds a row to `user_history`: one change of one user.
struct UserHistoryRecord: PersistableRecord {
    static let databaseTableName = "user_history"

    let userID: UserID
    let version: Int

    /// The level that was set; `nil` where the user was deleted.
    let level: AuthorizationLevel?

    let at: Timestamp
    let author: String

    func encode(to container: inout PersistenceContainer) throws {
        container["user_id"] = userID.text
        container["version"] = version
        container["level"] = level.map { Int($0.rawValue) }
        container["at"] = at.millisecondsSinceEpoch
        container["author"] = author
    }
}
