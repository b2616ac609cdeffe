import DeepLinkStorage

/// The reason why an open store refuses changes.
///
/// Reads continue.
package enum WritesUnavailableError: StoreError, Hashable {
    /// The last server did not end cleanly, and the file isn't verified yet. Changes are accepted once it is.
    case unverified(path: String)

    /// The check of the file found damage.
    case damaged(path: String, finding: String)

    /// A write or a sync failed, so the contents of the disk are unknown until a restart has read them.
    case failed(path: String, reason: String)

    /// The file at the path is no longer the one that was opened.
    case replaced(path: String)

    /// The write-ahead log beside the file, or its index, is no longer the one that was opened.
    case logRemoved(path: String)

    /// A server runs on the file and accepts no changes itself.
    case refusedByServer(path: String)

    package var description: String {
        switch self {
        case .unverified(let path):
            "The database \(path) was not closed cleanly and is being checked; changes are accepted afterwards."
        case .damaged(let path, let finding):
            "The database \(path) is damaged, so no change is accepted: \(finding). Stop the server, restore the file "
                + "from a backup without its -wal and -shm, and start again."
        case .failed(let path, let reason):
            "A write to the database \(path) failed (\(reason)), so no change is accepted until the server is started "
                + "again and has checked the file. Check the disk first."
        case .replaced(let path):
            "The database \(path) was removed or replaced while it was in use, so no change is accepted. Start the "
                + "server again."
        case .logRemoved(let path):
            "The write-ahead log of the database \(path), or its index (-wal, -shm), was removed or replaced while it was "
                + "in use, so no change is accepted. Start the server again; never remove these files."
        case .refusedByServer(let path):
            "The server that runs on the database \(path) accepts no changes now; its log has the reason."
        }
    }

    /// Whether the file's content is damaged.
    package var isDamage: Bool { if case .damaged = self { true } else { false } }

    /// Whether only a restart can lift the refusal.
    var isLasting: Bool {
        switch self {
        case .unverified, .refusedByServer: false
        case .damaged, .failed, .replaced, .logRemoved: true
        }
    }
}
