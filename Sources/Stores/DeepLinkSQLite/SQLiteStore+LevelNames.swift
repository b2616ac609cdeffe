package import DeepLinkCore
package import DeepLinkStorage
import GRDB

extension SQLiteStore {
    package func keptLevels() throws -> LevelLadder? {
        let names = try keptNames(of: .levels) { LevelName($0) }
        return names.isEmpty ? nil : LevelLadder(names)
    }

    package func keepLevels(_ levels: LevelLadder) async throws {
        guard try keptLevels()?.names != levels.names else { return }
        try await keep(levels.names.map(\.text), of: .levels)
    }

    package func levelRenames() throws -> [LevelRename] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT old, new, checksum FROM level_rename ORDER BY old, new")
                .map { row in
                    let (old, new) = (try row.decode(String.self, atIndex: 0), try row.decode(String.self, atIndex: 1))
                    guard let former = LevelName(old), let latter = LevelName(new),
                        try row.decode(Int64.self, atIndex: 2) == Self.checksum(old, renamed: new)
                    else { throw DamagedRowError(table: "level_rename") }
                    return LevelRename(former, to: latter)
                }
        }
    }

    package func keepLevelRename(_ rename: LevelRename) async throws {
        let (old, new) = (rename.old.text, rename.new.text)
        _ = try await write { database in
            try database.execute(
                sql: "INSERT INTO level_rename (old, new, checksum) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [old, new, Self.checksum(old, renamed: new)]
            )
        }
    }

    package func keptGrants() throws -> [GrantName] { try keptNames(of: .grants) { GrantName($0) } }

    package func keepGrants(_ names: [GrantName]) async throws {
        guard try keptGrants() != names else { return }
        try await keep(names.map(\.text), of: .grants)
    }

    private func keptNames<Name>(of table: NameTable, _ name: (String) -> Name?) throws -> [Name] {
        try read { database in
            let select = "SELECT \(table.place), name, checksum FROM \(table.table) ORDER BY \(table.place)"
            return try Row.fetchAll(database, sql: select).enumerated()
                .map { number, row in
                    let place = try row.decode(Int64.self, atIndex: 0)
                    let text = try row.decode(String.self, atIndex: 1)
                    guard place == number, let name = name(text),
                        try row.decode(Int64.self, atIndex: 2) == Self.checksum(text, place: place, in: table)
                    else { throw DamagedRowError(table: table.table) }
                    return name
                }
        }
    }

    private func keep(_ names: [String], of table: NameTable) async throws {
        _ = try await write { database in
            try database.execute(sql: "DELETE FROM \(table.table)")
            for (place, name) in names.enumerated() {
                try database.execute(
                    sql: "INSERT INTO \(table.table) (\(table.place), name, checksum) VALUES (?, ?, ?)",
                    arguments: [place, name, Self.checksum(name, place: Int64(place), in: table)]
                )
            }
        }
    }

    package func forgetLevels() { levels?.note(.everything) }

    package func renameLevel(
        _ old: LevelName,
        to new: LevelName,
        pausing pause: Duration
    ) async throws -> LevelRenaming {
        var renaming = LevelRenaming()
        var last: UserID?
        while true {
            let start = last
            let slice = try await write { database in
                try Self.renameStates(old, to: new, after: start, database)
            } levels: { slice in
                slice.states.map { UserLevelChange(user: $0.id, access: $0.access, version: $0.version) }
            }
            renaming.userCount += slice.states.count
            guard let end = slice.end else { break }
            last = end
            try await Task.sleep(for: pause)
        }
        var sequence: Int64 = 0
        while true {
            let start = sequence
            let slice = try await write { database in
                try Self.renameChanges(old, to: new, after: start, database)
            }
            renaming.changeCount += slice.count
            guard let end = slice.end else { break }
            sequence = end
            try await Task.sleep(for: pause)
        }
        try await renameKeptLevel(old, to: new)
        return renaming
    }

    private static func checksum(_ name: String, place: Int64, in table: NameTable) -> Int64 {
        var checksum = RowChecksum(table: table.table)
        checksum.add(place)
        checksum.add(name)
        return checksum.value
    }

    private static func checksum(_ old: String, renamed new: String) -> Int64 {
        var checksum = RowChecksum(table: "level_rename")
        checksum.add(old)
        checksum.add(new)
        return checksum.value
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
            return UserState(
                id: state.id,
                access: UserAccess(level: renamed, sorted: state.access.grants),
                version: state.version,
                updatedAt: state.updatedAt,
                moments: state.moments
            )
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
        let page = try UserHistoryRecord.page(after: start, limit: LevelRenaming.sliceSize, database)
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
