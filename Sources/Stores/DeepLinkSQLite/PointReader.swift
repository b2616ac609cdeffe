import DeepLinkCore
import DeepLinkStorage
import GRDB
import Synchronization

/// A reader of single rows, such as users' levels and short links, at a quarter of the cost of a read by the pool.
///
/// The pool reads the version of the schema and puts each read into a transaction, which are further transactions of
/// SQLite. A single SELECT is a transaction of its own (sqlite.org/lang_transaction.html), sees all committed data, and
/// waits for no writer; the schema doesn't change while a server runs.
///
/// The number of connections is the largest number of threads that have read at the same time.
final class PointReader: Sendable {
    /// The part of the file that each connection caches, in KiB: the inner pages for ten million users, so that one
    /// page is read per user.
    ///
    /// The file isn't memory-mapped (sqlite.org/mmap.html): that would save a tenth of the time, and an error of the
    /// disk would end the process.
    private static let cacheSize = 4096

    private let path: String
    private let configuration: Configuration
    private let idle = Mutex<[DatabaseQueue]>([])

    /// Creates a reader without connections; they are opened as needed.
    init(path: String) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "waymark.rows"
        configuration.readonly = true
        // As for the readers of the pool: a reader may find the file locked for a moment.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)") }
        self.configuration = configuration
    }

    /// Reads a user's access; `nil` for a user without a state.
    func access(of id: UserID) throws -> UserAccess? {
        try read {
            try UserStateRecord.find(id, in: $0)?.access
        } orWhole: {
            try StoredUser(of: id, $0).state?.access
        }
    }

    /// Reads a row.
    ///
    /// - Parameters:
    ///   - first: A read of one statement.
    ///   - rest: The read of several statements, which must see the same state, if the first finds nothing.
    /// - Returns: The row; `nil` for none.
    /// - Throws: The error of a read.
    func read<Row>(_ first: (Database) throws -> Row?, orWhole rest: (Database) throws -> Row?) throws -> Row? {
        let connection = try idle.withLock { $0.popLast() } ?? DatabaseQueue(path: path, configuration: configuration)
        defer { idle.withLock { $0.append(connection) } }
        if let row = try connection.unsafeRead(first) { return row }
        return try connection.read(rest)
    }

    /// Closes the connections; no call may follow.
    func close() throws {
        for connection in idle.withLock(\.self) { try connection.close() }
    }
}
