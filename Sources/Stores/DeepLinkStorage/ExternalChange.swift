package import DeepLinkCore

/// A change of stored users made by others: another process, or another store on the same database.
package enum ExternalChange: Hashable, Sendable {
    /// A change of these users, each named once.
    case users([UserID])

    /// A change of possibly all users: the history doesn't name them, as after a change by hand, or goes back, as after
    /// a restored backup.
    case everything
}

/// An observer of changes made by others.
///
/// It gets each change once, in order, before any later change of this store is on disk. Its methods must be short, and
/// must not call the store.
package protocol ExternalChangeObserver: Sendable {
    /// Records a change.
    func note(_ change: ExternalChange)

    /// Records that all changes up to a moment were found and reported.
    func confirm(asOf moment: Moment)
}

/// A store of the names of levels and grants.
package protocol LevelNameStore: Sendable {
    /// Returns the levels of the catalog that a server had in force last; `nil` if none was kept.
    ///
    /// Commands name levels by them if no catalog is named.
    func keptLevels() async throws -> LevelLadder?

    /// Keeps the levels of the catalog in force, in place of former ones.
    func keepLevels(_ levels: LevelLadder) async throws

    /// Returns the grants that may be written by the catalog that a server had in force last, in its order; none if none
    /// were kept.
    ///
    /// Commands name grants by them if no catalog is named.
    func keptGrants() async throws -> [GrantName]

    /// Keeps the grants that may be written by the catalog in force, in place of former ones.
    func keepGrants(_ names: [GrantName]) async throws

    /// Gives a level another name in all users and their history, in slices between which others have their turn.
    ///
    /// Neither versions nor times change: the level is the same.
    ///
    /// - Parameters:
    ///   - old: The present name.
    ///   - new: The name in its place.
    ///   - pause: The time between two slices.
    /// - Returns: The number of renamed rows.
    /// - Throws: The error of a slice; those before it stay renamed.
    func renameLevel(_ old: LevelName, to new: LevelName, pausing pause: Duration) async throws -> LevelRenaming

    /// Returns the names that levels have been given in the database.
    func levelRenames() async throws -> [LevelRename]

    /// Keeps the name that a level is about to be given, so that servers whose catalogs have its former name alone read
    /// the new one as that level.
    func keepLevelRename(_ rename: LevelRename) async throws

    /// Removes all users from memory, so that their names are read from the store again.
    func forgetLevels()
}

extension LevelNameStore {
    /// Gives a level another name among the kept ones, unless one of them has that name already.
    package func renameKeptLevel(_ old: LevelName, to new: LevelName) async throws {
        guard let kept = try await keptLevels(), kept.names.contains(old), !kept.names.contains(new) else { return }
        try await keepLevels(LevelLadder(kept.names.map { $0 == old ? new : $0 }))
    }
}

/// The numbers of rows in which a level has another name.
package struct LevelRenaming: Hashable, Sendable {
    /// The rows per slice.
    package static let sliceSize = 2000

    /// The users.
    package var userCount = 0

    /// The changes in the history of users.
    package var changeCount = 0

    /// Creates counts of nothing.
    package init() {}
}

/// A table of the names that a catalog gives, in their order, as a server keeps them for commands.
package struct NameTable: Sendable {
    /// The name of the table; its other columns are `name` and, in a file, `checksum`.
    package let table: String

    /// The column of the places, from 0.
    package let place: String

    /// The noun for one of the names, in messages.
    package let noun: String

    /// The names of levels, the lowest first.
    package static let levels = NameTable(table: "level_name", place: "rank", noun: "level")

    /// The names of the grants that users hold.
    package static let grants = NameTable(table: "grant_name", place: "place", noun: "grant")
}
