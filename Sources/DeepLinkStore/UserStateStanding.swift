import DeepLinkCore
import GRDB

/// The standing of a user in the file, read within one transaction.
enum UserStateStanding {
    /// The user has a state.
    case set(UserState)

    /// The user has none; the last version that there was, 0 for a user never set.
    case absent(lastVersion: Int)

    /// Reads how a user stands.
    ///
    /// A row whose key is damaged is not found, and would leave its user without a level. So where there is no row, the
    /// history must know of none either, or end with a deletion.
    ///
    /// - Throws: ``DamagedRowError`` where it does not.
    init(of id: UserID, _ database: Database) throws {
        if let state = try UserStateRecord.find(id, database) {
            self = .set(state)
            return
        }
        let newest = try UserHistoryRecord.newest(of: id, database)
        guard newest?.grant == nil else { throw DamagedRowError(table: UserStateRecord.table) }
        self = .absent(lastVersion: newest?.version ?? 0)
    }

    /// The state; `nil` where there is none.
    var state: UserState? { if case .set(let state) = self { state } else { nil } }

    /// Returns the version of the next change; deletions count, so a version never means two states.
    func nextVersion() throws(DamagedRowError) -> Int {
        let last =
            switch self {
            case .set(let state): state.version
            case .absent(let version): version
            }
        guard last < .max else { throw DamagedRowError(table: UserStateRecord.table) }
        return last + 1
    }
}
