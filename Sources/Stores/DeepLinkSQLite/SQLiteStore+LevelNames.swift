package import DeepLinkCore
package import DeepLinkStorage
import GRDB

extension SQLiteStore {
    package func levelRenames() throws -> [LevelRename] {
        try read { database in
            try Self.renames.rows("ORDER BY old, new", [], database)
                .map { row in
                    guard let old = LevelName(try row.text(0)), let new = LevelName(try row.text(1)) else {
                        throw Self.renames.damage
                    }
                    return LevelRename(old, to: new)
                }
        }
    }

    package func keepLevelRename(_ rename: LevelRename) async throws {
        try await write { database in try Self.renames.replace([rename.old.text, rename.new.text], in: database) }
    }

    private static let renames = CheckedTable(name: "level_rename", columns: "old, new")

    package func keptNames<Name: Sendable>(
        of table: NameTable,
        _ name: @escaping @Sendable (String) -> Name?
    ) throws -> [Name] {
        try read { database in
            try table.checked.rows("ORDER BY \(table.place)", [], database).enumerated()
                .map { place, row in
                    guard try row.number(0) == place, let name = name(try row.text(1)) else {
                        throw table.checked.damage
                    }
                    return name
                }
        }
    }

    package func keep(_ names: [String], of table: NameTable) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM \(table.table)")
            for (place, name) in names.enumerated() { try table.checked.insert([place, name], in: database) }
        }
    }

    package func forgetLevels() { levels?.note(.everything) }

    package func renameLevel(
        _ old: LevelName,
        to new: LevelName,
        pausing pause: Duration
    ) async throws -> LevelRenaming {
        var renaming = LevelRenaming()
        renaming.userCount = try await LevelRenaming.count(pausing: pause) { start in
            let slice = try await write { database in
                try Self.renameStates(old, to: new, after: start, database)
            } levels: { slice in
                slice.states.map { UserLevelChange(user: $0.id, access: $0.access, version: $0.version) }
            }
            return (slice.states.count, slice.end)
        }
        renaming.changeCount = try await LevelRenaming.count(pausing: pause) { start in
            try await write { database in try Self.renameChanges(old, to: new, after: start ?? 0, database) }
        }
        try await renameKeptLevel(old, to: new)
        return renaming
    }

    private static func renameStates(
        _ old: LevelName,
        to new: LevelName,
        after start: UserID?,
        _ database: Database
    ) throws -> (states: [UserState], end: UserID?) {
        let page = try UserStateRecord.states(after: start, limit: LevelRenaming.sliceSize, database)
        let renamed = page.compactMap { state -> UserState? in
            guard let level = state.access.level else { return nil }
            let renamed = level.renamed { $0 == old ? new : $0 }
            guard renamed != level else { return nil }
            var state = state
            state.access.level = renamed
            return state
        }
        for state in renamed { try UserStateRecord(state).replace(database) }
        return (renamed, page.count == LevelRenaming.sliceSize ? page.last?.id : nil)
    }

    private static func renameChanges(
        _ old: LevelName,
        to new: LevelName,
        after start: Int64,
        _ database: Database
    ) throws -> (count: Int, end: Int64?) {
        var page: [(sequence: Int64, record: UserHistoryRecord)] = []
        try UserHistoryRecord.visit(after: start, limit: LevelRenaming.sliceSize, database) { page.append(($0, $1)) }
        var count = 0
        for (sequence, record) in page {
            guard let level = record.change.level else { continue }
            let renamed = level.renamed { $0 == old ? new : $0 }
            guard renamed != level else { continue }
            try record.having(renamed).replace(at: sequence, database)
            count += 1
        }
        return (count, page.count == LevelRenaming.sliceSize ? page.last?.sequence : nil)
    }
}

extension NameTable {
    fileprivate var checked: CheckedTable { CheckedTable(name: table, columns: "\(place), name") }
}
