import CPostgreSQL
import DeepLinkCore
import DeepLinkStorage
import Foundation

/// A libpq connection, owned by one thread.
///
/// Statements are sent in a pipeline (postgresql.org/docs/15/libpq-pipeline-mode.html), and every wait has a time
/// limit.
///
/// The blocking functions of libpq wait for input without a limit. None of them is called, and the socket is polled
/// here (poll(2)).
final class PostgresConnection {
    /// The longest single wait, in nanoseconds, so that waiting calls still meet their deadlines.
    private static let slice: Int64 = 50_000_000

    private let handle: OpaquePointer

    /// The closure to call between two waits.
    private let breathe: () -> Void

    /// The names of the statements that are prepared on the server.
    private var prepared: Set<ByteText> = []

    /// Whether statements are prepared.
    ///
    /// They aren't behind a pooler that switches servers between transactions.
    private var prepares = true

    /// The end of the current job, after which the connection is unusable.
    var deadline: MonotonicInstant

    /// Connects to the database.
    ///
    /// The number of earlier attempts rotates a list of servers.
    init(_ location: PostgresLocation, attempt: Int, until deadline: MonotonicInstant, breathe: @escaping () -> Void)
        throws(PostgresError)
    {
        var defaults = [
            ("fallback_application_name", "waymark"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
        ]
        // If there are several servers, connect to the writable one, even behind a load balancer that hasn't noticed a
        // failover yet.
        if getenv("PGTARGETSESSIONATTRS") == nil { defaults.append(("target_session_attrs", "read-write")) }
        let words = location.words(beginningAt: attempt, defaults: defaults) + [("client_encoding", "UTF8")]
        guard let handle = Self.start(words) else { throw .unreachable("out of memory") }
        self.handle = handle
        self.breathe = breathe
        self.deadline = deadline
        // If this throws, `deinit` closes the connection.
        try finish()
    }

    deinit { PQfinish(handle) }

    private static func start(_ words: [(String, String)]) -> OpaquePointer? {
        let keywords = words.map { strdup($0.0) } + [nil]
        let values = words.map { strdup($0.1) } + [nil]
        defer { for text in keywords + values { free(text) } }
        return PQconnectStartParams(keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
    }

    private func finish() throws(PostgresError) {
        var wanted = PGRES_POLLING_WRITING
        while wanted != PGRES_POLLING_OK {
            guard wanted != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
                throw .unreachable(message)
            }
            try awaitSocket(wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            wanted = PQconnectPoll(handle)
        }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw .unreachable(message) }
        // Notices, such as that a table exists already, are discarded.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    /// Runs statements in sequence until the first failure.
    ///
    /// The statements after it don't run.
    ///
    /// Without a `BEGIN` among them, they are one transaction.
    ///
    /// - Returns: The results of the statements.
    /// - Throws: ``PostgresError``.
    @discardableResult
    func run(_ statements: [Statement]) throws(PostgresError) -> [ResultRows] {
        var expected: [Bool] = []
        for statement in statements { try send(statement, expected: &expected) }
        guard PQpipelineSync(handle) == 1 else { throw .unreachable(message) }
        var results: [ResultRows] = []
        var failure: PostgresError?
        for isAsked in expected {
            while let result = try nextResult() {
                let rows = ResultRows(result)
                withExtendedLifetime(rows) {
                    switch PQresultStatus(result) {
                    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: if isAsked { results.append(rows) }
                    case PGRES_PIPELINE_ABORTED: break
                    default: failure = failure ?? error(result)
                    }
                }
            }
        }
        guard let end = try nextResult() else { throw .unexpected("no end of the pipeline") }
        defer { PQclear(end) }
        if let failure {
            note(failure)
            throw failure
        }
        guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw error(end) }
        return results
    }

    /// Runs one statement.
    @discardableResult
    func run(_ statement: Statement) throws(PostgresError) -> ResultRows {
        guard let rows = try run([statement]).first else { throw .unexpected("no result") }
        return rows
    }

    /// Runs one statement with the values of its parameters.
    @discardableResult
    func run(_ sql: String, _ values: SQLValue...) throws(PostgresError) -> ResultRows {
        try run(Statement(sql, values: values))
    }

    /// Runs a closure, and rolls back the open transaction after an error.
    func rollingBack<Result>(_ body: () throws(PostgresError) -> Result) throws(PostgresError) -> Result {
        do throws(PostgresError) {
            return try body()
        } catch {
            if !error.isLoss { try run("ROLLBACK") }
            throw error
        }
    }

    /// Stops preparing statements after a failure which shows that they are sent to several servers.
    private func note(_ failure: PostgresError) {
        if failure.isRefusal("26000") || failure.isRefusal("42P05") { prepares = false }
        // The failed statement may not be prepared.
        prepared = []
    }

    private func send(_ statement: Statement, expected: inout [Bool]) throws(PostgresError) {
        var bytes: [UInt8] = []
        var places: [Int?] = []
        for value in statement.values {
            let encoded = try value.encoded()
            places.append(encoded.map { _ in bytes.count })
            bytes += encoded ?? []
        }
        let name = prepares ? Self.name(statement.sql) : nil
        if let name, !prepared.contains(name.bytewise) {
            // If another client has prepared a statement with this name, it is the same statement.
            guard PQsendPrepare(handle, name, statement.sql, 0, nil) == 1 else { throw .unreachable(message) }
            expected.append(false)
            prepared.insert(name.bytewise)
        }
        let isSent = bytes.withUnsafeBytes { bytes in
            let texts = places.map { place in
                place.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            let count = CInt(texts.count)
            return name.map { PQsendQueryPrepared(handle, $0, count, texts, nil, nil, 0) }
                ?? PQsendQueryParams(handle, statement.sql, count, nil, texts, nil, nil, 0)
        }
        guard isSent == 1 else { throw .unreachable(message) }
        expected.append(true)
    }

    /// Returns the name of a statement, a hash of its text (FNV-1a) that is the same on every connection.
    private static func name(_ sql: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return "waymark_" + String(hash, radix: 36)
    }

    /// Returns the next result, or `nil` after the last one of a statement.
    private func nextResult() throws(PostgresError) -> OpaquePointer? {
        while true {
            let isWritten = PQflush(handle)
            guard isWritten >= 0 else { throw .unreachable(message) }
            if PQisBusy(handle) == 0 { break }
            let events = try awaitSocket(isWritten == 0 ? POLLIN : POLLIN | POLLOUT)
            guard events & CInt(POLLIN | POLLERR | POLLHUP) == 0 || PQconsumeInput(handle) == 1 else {
                throw .unreachable(message)
            }
        }
        let result = PQgetResult(handle)
        guard result != nil || PQstatus(handle) != CONNECTION_BAD else { throw .unreachable(message) }
        return result
    }

    /// Waits for the socket.
    @discardableResult private func awaitSocket(_ events: Int32) throws(PostgresError) -> CInt {
        while true {
            let rest = deadline.nanoseconds - MonotonicInstant.now.nanoseconds
            guard rest > 0 else { throw .late }
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            guard descriptor.fd >= 0 else { throw .unreachable(message) }
            let count = poll(&descriptor, 1, CInt(min(rest, Self.slice) / 1_000_000 + 1))
            if count > 0 { return CInt(descriptor.revents) }
            guard count == 0 || errno == EINTR else { throw .unreachable(String(cString: strerror(errno))) }
            breathe()
        }
    }

    private func error(_ result: OpaquePointer) -> PostgresError {
        let text = PQresultErrorField(result, CInt(UInt8(ascii: "M"))).map { String(cString: $0) }
        // libpq returns no error code if it has lost the connection.
        guard let state = PQresultErrorField(result, CInt(UInt8(ascii: "C"))) else {
            return .unreachable(text ?? message)
        }
        return .refused(state: String(cString: state), message: text ?? "no message")
    }

    /// The error message of the connection, on one line.
    ///
    /// libpq indents the second and further lines.
    private var message: String {
        let text = String(cString: PQerrorMessage(handle))
        return text.utf8.split { $0 == UInt8(ascii: "\n") }
            .map { String(Substring($0.drop { $0 == UInt8(ascii: "\t") })) }
            .joined(separator: "; ")
    }
}
