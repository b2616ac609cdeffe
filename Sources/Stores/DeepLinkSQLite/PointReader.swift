import DeepLinkCore
import DeepLinkStorage
import GRDB
import Synchronization

/// A reader of single rows, such as users' levels and short links, at a quarter of the cost of a read by the pool.
///
/// The pool reads the schema version and puts each read into a transaction, which are further transactions of SQLite. A
/// single SELECT is a transaction of its own (sqlite.org/lang_transaction.html), sees all committed data, and does not
/// wait for writers. The schema doesn't change while a server runs.
///
/// The number of connections is the largest number of threads that have read at the same time.
final class PointReader: Sendable {
    /// The page cache of each connection, in KiB: the inner pages for ten million users, so that a lookup reads one
    /// page from the file.
    ///
    /// The file isn't memory-mapped (sqlite.org/mmap.html). That would save a tenth of the time, but a disk error would
    /// end the process.
    private static let cacheSize = 4096

    private let path: String
    private let configuration: Configuration
    private let idle = Mutex<[DatabaseQueue]>([])

    /// Creates a reader without connections, which are opened as needed.
    init(path: String) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "waymark.rows"
        configuration.readonly = true
        // As for the readers of the pool: a reader may find the file briefly locked.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)") }
        self.configuration = configuration
    }

    /// Reads a user's access, or `nil` for a user without a state.
    func access(of id: UserID) throws -> UserAccess? {
        try read {
            try UserStateRecord.find(id, in: $0)?.access
        } orWhole: {
            try StoredUser(of: id, $0).state?.access
        }
    }

    /// Reads a row with one statement, or, if that finds nothing, with several that must see the same state.
    func read<Row>(_ first: (Database) throws -> Row?, orWhole rest: (Database) throws -> Row?) throws -> Row? {
        let connection = try idle.withLock { $0.popLast() } ?? DatabaseQueue(path: path, configuration: configuration)
        defer { idle.withLock { $0.append(connection) } }
        if let row = try connection.unsafeRead(first) { return row }
        return try connection.read(rest)
    }

    /// Closes the connections.
    ///
    /// The reader must not be used afterwards.
    func close() throws {
        for connection in idle.withLock(\.self) { try connection.close() }
    }
}
