import DeepLinkCore
import GRDB
import Synchronization

/// A reader of what decides a user's level, for a quarter of what a read of the pool costs.
///
/// The pool asks for the version of the schema and puts each read into a transaction, which are further transactions of
/// SQLite. One SELECT is a transaction by itself (sqlite.org/lang_transaction.html), sees all that is committed, and
/// waits for no writer; the schema does not change while a server runs.
///
/// There are as many connections as threads have ever read at the same time.
final class UserLevelReader: Sendable {
    /// The part of the file that each connection keeps, in KiB: the inner pages of ten million users, so that one page is
    /// read for each.
    ///
    /// The file is not mapped into memory (sqlite.org/mmap.html): that would gain a tenth of the time, and an error of
    /// the disk would end the process.
    private static let cacheSize = 4096

    private let path: String
    private let configuration: Configuration
    private let idle = Mutex<[DatabaseQueue]>([])

    /// Creates a reader that opens no connection yet.
    init(path: String) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "waymark.levels"
        configuration.readonly = true
        // As for the readers of the pool: there are moments at which a reader finds the file locked.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)") }
        self.configuration = configuration
    }

    /// Reads a user's grant; `nil` for a user without a state.
    func grant(of id: UserID) throws -> LevelGrant? {
        let connection = try idle.withLock { $0.popLast() } ?? DatabaseQueue(path: path, configuration: configuration)
        defer { idle.withLock { $0.append(connection) } }
        if let state = try connection.unsafeRead({ try UserStateRecord.find(id, $0) }) { return state.grant }
        // Two questions, which must see the same.
        return try connection.read { try UserStateStanding(of: id, $0).state?.grant }
    }

    /// Closes the connections; no call may follow.
    func close() throws {
        for connection in idle.withLock(\.self) { try connection.close() }
    }
}
