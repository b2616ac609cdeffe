package import DeepLinkCore

/// A store of the names of levels and grants, and of the renamings of levels.
///
/// Commands use the names of the catalog that a server had in force last, if no catalog is given.
package protocol LevelNameStore: Sendable {
    /// Reads the names of a table in their order. Empty if none were stored.
    ///
    /// - Throws: The error of a text that is no name, or of the store.
    func keptNames<Name: Sendable>(
        of table: NameTable,
        _ name: @escaping @Sendable (String) -> Name?
    ) async throws -> [Name]

    /// Stores the names of a table, replacing former ones.
    func keep(_ names: [String], of table: NameTable) async throws

    /// Renames a level in all users and their history, in batches, so that other writers can run in between.
    ///
    /// Versions and times do not change, since the level is the same.
    ///
    /// - Throws: The error of a batch. Rows of earlier batches stay renamed.
    func renameLevel(_ old: LevelName, to new: LevelName, pausing pause: Duration) async throws -> LevelRenaming

    /// Returns the renamings of levels in the database.
    func levelRenames() async throws -> [LevelRename]

    /// Stores the renaming of a level before its rows change. Servers with a catalog that has only the former name then
    /// read the new one as that level.
    func keepLevelRename(_ rename: LevelRename) async throws

    /// Removes all users from memory, so that their names are read from the store again.
    func forgetLevels()
}

extension LevelNameStore {
    /// Returns the levels of the catalog that a server had in force last, or `nil` if none were stored.
    package func keptLevels() async throws -> LevelLadder? {
        let names = try await keptNames(of: .levels) { LevelName($0) }
        return names.isEmpty ? nil : LevelLadder(names)
    }

    /// Stores the levels of the catalog in force, replacing former ones.
    package func keepLevels(_ levels: LevelLadder) async throws {
        guard try await keptLevels()?.names != levels.names else { return }
        try await keep(levels.names.map(\.text), of: .levels)
    }

    /// Renames a level among the stored ones, unless one of them has the new name already.
    package func renameKeptLevel(_ old: LevelName, to new: LevelName) async throws {
        guard let kept = try await keptLevels(), kept.names.contains(old), !kept.names.contains(new) else { return }
        try await keepLevels(LevelLadder(kept.names.map { $0 == old ? new : $0 }))
    }

    /// Returns the writable grants of the catalog that a server had in force last, in its order.
    package func keptGrants() async throws -> [GrantName] { try await keptNames(of: .grants) { GrantName($0) } }

    /// Stores the writable grants of the catalog in force, replacing former ones.
    package func keepGrants(_ names: [GrantName]) async throws {
        guard try await keptGrants() != names else { return }
        try await keep(names.map(\.text), of: .grants)
    }
}

/// The numbers of rows in which a level was renamed.
package struct LevelRenaming: Hashable, Sendable {
    /// The number of rows in a batch.
    package static let sliceSize = 2000

    /// The number of renamed users.
    package var userCount = 0

    /// The number of renamed changes in the history of users.
    package var changeCount = 0

    /// Creates counts of zero.
    package init() {}

    /// Renames rows in batches, with a pause between two, and counts them.
    ///
    /// A batch begins after a position, or with the first row, and returns its end if more rows follow.
    package static func count<Position: Sendable>(
        pausing pause: Duration,
        _ batch: (_ start: Position?) async throws -> (count: Int, end: Position?)
    ) async throws -> Int {
        var (count, last): (Int, Position?) = (0, nil)
        while true {
            let renamed = try await batch(last)
            count += renamed.count
            last = renamed.end
            guard last != nil else { return count }
            try await Task.sleep(for: pause)
        }
    }
}

/// A table with the names of a catalog in their order, which a server stores for commands.
package struct NameTable: Sendable {
    /// The name of the table.
    ///
    /// Its other columns are `name` and, in a file, `checksum`.
    package let table: String

    /// The name of the column with the position, from 0.
    package let place: String

    /// The noun for one of the names, in messages.
    package let noun: String

    /// The names of levels, the lowest first.
    package static let levels = NameTable(table: "level_name", place: "rank", noun: "level")

    /// The names of the grants that users hold.
    package static let grants = NameTable(table: "grant_name", place: "place", noun: "grant")
}
