package import DeepLinkCore
package import DeepLinkStorage
import Foundation

/// The restoration of a backup in steps: check a draft beside the database, change the draft, and swap the two.
package struct DatabaseRestoration: Sendable {
    /// The number of users in the backup.
    package let userCount: Int

    /// The tokens in the backup.
    package let tokens: [ServiceToken]

    /// The tokens of the existing database, or `nil` if it doesn't exist or cannot be read.
    private let formerTokens: [ServiceToken]?

    private let target: DatabaseFile
    private let draft: DatabaseFile

    /// Copies a backup beside the database, checks every row, and upgrades its schema.
    ///
    /// - Throws: ``StoreOpenError`` if a server runs on the database or the backup cannot be used. ``BackupError`` if
    ///   the draft cannot be written.
    package init(of backup: String, to path: String) throws {
        target = DatabaseFile(path)
        draft = DatabaseFile(path + ".\(getpid())-restoring")
        if case .held = ServingLock.state(of: target) { throw StoreOpenError.served(path: path, by: nil) }
        guard DatabaseFile.exists(backup) else {
            throw StoreOpenError.unreachable(path: backup, reason: "the file does not exist")
        }
        try target.createFolder()
        draft.remove()
        do {
            userCount = try DatabaseBackup(of: backup, to: draft.path).userCount
            let store = try SQLiteStore(path: draft.path)
            tokens = try store.serviceTokens()
            try store.close()
        } catch {
            Self.remove(draft)
            throw error
        }
        formerTokens = Self.tokens(of: target)
    }

    /// Whether the tokens of the existing database are known.
    package var knowsFormerTokens: Bool { formerTokens != nil }

    /// Returns the tokens of the backup that are valid at a time.
    package func validTokens(at time: Timestamp) -> [ServiceToken] { tokens.filter { $0.isUsable(at: time) } }

    /// Returns the backup's valid tokens that are revoked in the existing database.
    package func revokedSince(at time: Timestamp) -> [ServiceToken] {
        let revoked = Set((formerTokens ?? []).filter { $0.revoked != nil }.map(\.id))
        return validTokens(at: time).filter { revoked.contains($0.id) }
    }

    /// Revokes all tokens of the draft.
    package func revokeTokens(at time: Timestamp) async throws {
        let store = try SQLiteStore(path: draft.path)
        for token in validTokens(at: time) { _ = try await store.revoke(token.id, at: time) }
        try store.close()
    }

    /// Replaces the database by the draft.
    ///
    /// When this returns, the swap survives a power failure.
    ///
    /// - Returns: The new name of the former database, or `nil` if there was none.
    /// - Throws: ``StoreOpenError`` or ``BackupError``. The former database is then in its place, or under the new
    ///   name.
    package func finish(at time: Timestamp) throws -> String? {
        let lock = try ServingLock(target)
        defer { lock.release(isClean: true) }
        var former: DatabaseFile?
        if target.nameCount > 0 {
            let name = target.path + ".before-\(time.millisecondsSinceEpoch / 1000)"
            guard !DatabaseFile.exists(name) else { throw BackupError.exists(name) }
            let kept = DatabaseFile(name)
            // SQLite finds the log by its name, so it is renamed with the file.
            guard target.moveCompanions(to: kept), target.rename(to: kept) else { throw BackupError(name) }
            former = kept
            draft.takeOwner(of: kept)
        }
        guard draft.sync(), draft.rename(to: target) else {
            let error = BackupError(target.path)
            if let former, former.rename(to: target) { _ = former.moveCompanions(to: target) }
            throw error
        }
        guard target.syncFolder() else { throw BackupError(target.path) }
        return former?.path
    }

    /// Removes the draft and its files.
    package func removeDraft() { Self.remove(draft) }

    private static func remove(_ draft: DatabaseFile) {
        draft.remove()
        draft.removeLock()
    }

    /// Reads the tokens of a database.
    ///
    /// Errors are ignored, since an unreadable database is the reason to restore.
    private static func tokens(of file: DatabaseFile) -> [ServiceToken]? {
        guard file.nameCount > 0, let store = try? SQLiteStore(path: file.path) else { return nil }
        defer { try? store.close() }
        return try? store.serviceTokens()
    }
}
