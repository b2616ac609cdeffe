import DeepLinkCore
import GRDB

/// The standing of a user in the file, read within one transaction.
enum UserStateStanding {
    /// The user has a state.
    case set(UserState)

    /// The user has none; the deletion of the last one, `nil` for a user of whom the history knows nothing.
    case absent(UserChange?)

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
        self = .absent(newest)
    }

    /// The state; `nil` where there is none.
    var state: UserState? { if case .set(let state) = self { state } else { nil } }

    /// Reads the last version that there was of the user, and the moment as of which it counts; `nil` for a user never
    /// set.
    func last(of id: UserID, _ database: Database) throws -> ErasedUserRecord.Last? {
        switch self {
        case .set(let state): ErasedUserRecord.Last(version: state.version, asOf: state.asOf)
        case .absent(let change?): ErasedUserRecord.Last(version: change.version, asOf: change.asOf ?? change.at)
        case .absent(nil): try ErasedUserRecord.last(of: id, database)
        }
    }
}
