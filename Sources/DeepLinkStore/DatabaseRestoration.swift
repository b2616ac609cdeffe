package import DeepLinkCore
import Foundation

/// The return of a backup to a database's place, in steps: a checked draft beside it, changes of that, and the exchange.
package struct DatabaseRestoration: Sendable {
    /// The number of users that the backup has.
    package let userCount: Int

    /// The tokens of the backup.
    package let tokens: [ServiceToken]

    /// The tokens of the database that is there; `nil` where there is none, or it cannot be read.
    private let formerTokens: [ServiceToken]?

    private let target: DatabaseFile
    private let draft: DatabaseFile

    /// Copies a backup beside a database's place, checks every row, and brings its schema up to date.
    ///
    /// - Throws: ``StoreOpenError`` where a server runs on the database, or the backup cannot be used; ``BackupError``.
    package init(of backup: String, to path: String) throws {
        target = DatabaseFile(path)
        draft = DatabaseFile(path + ".\(getpid())-restoring")
        try Self.requireNoServer(target)
        guard DatabaseFile.exists(backup) else {
            throw StoreOpenError.unreachable(path: backup, reason: "there is no such file")
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

    /// Whether the tokens of the database that is there are known.
    package var knowsFormerTokens: Bool { formerTokens != nil }

    /// Returns the tokens of the backup that are valid at a moment.
    package func validTokens(at time: Timestamp) -> [ServiceToken] { tokens.filter { $0.isUsable(at: time) } }

    /// Returns those that the database which is there knows to be revoked.
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

    /// Puts the draft in the database's place; when this returns, that survives a loss of power.
    ///
    /// - Returns: the name that the former database has now; `nil` where there was none.
    /// - Throws: ``StoreOpenError``, ``BackupError``; the former database is in its place then, or under the name.
    package func finish(at time: Timestamp) throws -> String? {
        let lock = try ServingLock(target)
        defer { lock.release(isClean: true) }
        var former: DatabaseFile?
        if target.nameCount > 0 {
            let name = target.path + ".before-\(time.millisecondsSinceEpoch / 1000)"
            guard !DatabaseFile.exists(name) else { throw BackupError.exists(name) }
            let kept = DatabaseFile(name)
            // The log belongs to the file, and goes by its name.
            guard target.moveCompanions(to: kept), target.rename(to: kept) else { throw BackupError(name) }
            former = kept
        }
        guard draft.sync(), draft.rename(to: target) else {
            let error = BackupError(target.path)
            if let former, former.rename(to: target) { _ = former.moveCompanions(to: target) }
            throw error
        }
        guard target.syncFolder() else { throw BackupError(target.path) }
        return former?.path
    }

    /// Removes what is left of the draft.
    package func removeDraft() { Self.remove(draft) }

    private static func remove(_ draft: DatabaseFile) {
        draft.remove()
        draft.removeLock()
    }

    private static func requireNoServer(_ file: DatabaseFile) throws {
        if case .held = ServingLock.standing(of: file) { throw StoreOpenError.served(path: file.path, by: nil) }
    }

    /// Reads the tokens of a database; what cannot be read is why somebody restores.
    private static func tokens(of file: DatabaseFile) -> [ServiceToken]? {
        guard file.nameCount > 0, let store = try? SQLiteStore(path: file.path) else { return nil }
        defer { try? store.close() }
        return try? store.serviceTokens()
    }
}
