package import DeepLinkCore
import DeepLinkStoring
import GRDB

extension SQLiteStore: UserStateStore {
    package func save(_ write: UserStateWrite) async throws -> SavedUserState {
        try await self.write { [historyLimits] database in
            try Self.save(write, historyLimits, database)
        } levels: { saved in
            [UserLevelChange(user: write.id, grant: saved.state.grant)]
        }
    }

    /// Replaces several states in one transaction: all of them or, where one cannot be, none.
    ///
    /// - Throws: what ``save(_:)-(UserStateWrite)`` throws, for the first write that cannot be made.
    package func save(_ writes: [UserStateWrite]) async throws {
        try await write { [historyLimits] database in
            for write in writes { _ = try Self.save(write, historyLimits, database) }
        } levels: { _ in
            writes.map { UserLevelChange(user: $0.id, grant: $0.grant) }
        }
    }

    private static func save(
        _ write: UserStateWrite,
        _ limits: UserHistoryLimits,
        _ database: Database
    ) throws -> SavedUserState {
        let standing = try UserStateStanding(of: write.id, database)
        guard write.precondition.holds(for: standing.state?.version) else {
            throw UserStateWriteError.versionMismatch(current: standing.state?.version)
        }
        if let state = standing.state, state.grant == write.grant { return SavedUserState(state: state, isNew: false) }
        let state = UserState(
            id: write.id,
            grant: write.grant,
            version: try standing.nextVersion(),
            updatedAt: write.time
        )
        try UserStateRecord(state).replace(database)
        let change = UserChange(version: state.version, grant: write.grant, at: write.time, author: write.author)
        try note(change, of: write.id, limits, database)
        return SavedUserState(state: state, isNew: standing.state == nil)
    }

    package func remove(_ removal: UserStateRemoval) async throws -> Bool {
        try await write { [historyLimits] database in
            let standing = try UserStateStanding(of: removal.id, database)
            guard removal.precondition.holds(for: standing.state?.version) else {
                throw UserStateWriteError.versionMismatch(current: standing.state?.version)
            }
            guard standing.state != nil else { return false }
            // Before the deletion, which else were one by hand.
            let change = UserChange(
                version: try standing.nextVersion(),
                grant: nil,
                at: removal.time,
                author: removal.author
            )
            try Self.note(change, of: removal.id, historyLimits, database)
            try database.execute(sql: "DELETE FROM user_state WHERE id = ?", arguments: [removal.id.text])
            return true
        } levels: { wasThere in
            wasThere ? [UserLevelChange(user: removal.id, grant: nil)] : []
        }
    }

    /// Adds a change to the history, and drops what its limits no longer keep.
    private static func note(
        _ change: UserChange,
        of id: UserID,
        _ limits: UserHistoryLimits,
        _ database: Database
    ) throws {
        try UserHistoryRecord(change, of: id).insert(database)
        try UserHistoryRecord.prune(id, newest: change.version, at: change.at, limits, database)
    }
}
