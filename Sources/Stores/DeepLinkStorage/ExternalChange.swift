package import DeepLinkCore

/// A change of stored users by another process, or by another store on the same database.
package enum ExternalChange: Hashable, Sendable {
    /// A change of these users, each listed once.
    case users([UserID])

    /// A change of possibly all users. The history doesn't name them, as after a manual change, or goes back, as after
    /// a restored backup.
    case everything
}

/// An observer of external changes.
///
/// It gets each change once, in order, before any later change of this store is on disk. Its methods must be short, and
/// must not call the store.
package protocol ExternalChangeObserver: Sendable {
    /// Records a change.
    func note(_ change: ExternalChange)

    /// Records that all changes up to a time were found and reported.
    func confirm(asOf instant: MonotonicInstant)
}

/// A store of the names of levels and grants.
package protocol LevelNameStore: Sendable {
    /// Returns the levels of the catalog that a server had in force last, or `nil` if none were stored.
    ///
    /// Commands use these names if no catalog is given.
    func keptLevels() async throws -> LevelLadder?

    /// Stores the levels of the catalog in force, replacing former ones.
    func keepLevels(_ levels: LevelLadder) async throws

    /// Returns the writable grants of the catalog that a server had in force last, in its order. Empty if none were
    /// stored.
    ///
    /// Commands use these names if no catalog is given.
    func keptGrants() async throws -> [GrantName]

    /// Stores the writable grants of the catalog in force, replacing former ones.
    func keepGrants(_ names: [GrantName]) async throws

    /// Renames a level in all users and their history, in batches, so that other writers can run in between.
    ///
    /// Versions and times do not change, since the level is the same.
    ///
    /// - Parameters:
    ///   - old: The current name.
    ///   - new: The new name.
    ///   - pause: The time between two batches.
    /// - Returns: The number of renamed rows.
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
    /// Renames a level among the stored ones, unless one of them has the new name already.
    package func renameKeptLevel(_ old: LevelName, to new: LevelName) async throws {
        guard let kept = try await keptLevels(), kept.names.contains(old), !kept.names.contains(new) else { return }
        try await keepLevels(LevelLadder(kept.names.map { $0 == old ? new : $0 }))
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
