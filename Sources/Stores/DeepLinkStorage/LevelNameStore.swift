package import DeepLinkCore

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
