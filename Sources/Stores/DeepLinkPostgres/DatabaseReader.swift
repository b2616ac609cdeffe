import DeepLinkCore
import DeepLinkStorage

/// A user's access and version in the database.
struct StoredAccess: Sendable {
    /// The level and the grants, or `nil` for a user without a state.
    let access: UserAccess?

    /// The user's version, which counts deletions, or 0 if the user was never stored.
    ///
    /// Also 0 for a user without a state if the version wasn't requested.
    let version: Int
}

/// The reads of one thread.
///
/// The access of many users is read in one statement, and so are the links of many codes. All other reads are made one
/// by one.
final class DatabaseReader: Sendable {
    /// The maximum number of jobs per batch, and of users per statement.
    private static let batchSize = 256

    /// A look-up that shares a statement with the others of its kind.
    private struct Lookup<Key: Sendable, Value: Sendable>: Sendable {
        let key: Key
        let deadline: MonotonicInstant
        let continuation: CheckedContinuation<Value, any Error>
    }

    private typealias AccessKey = (user: UserID, digest: [UInt8]?)

    private enum Job: DatabaseJob {
        case access(Lookup<AccessKey, StoredAccess>)
        case link(Lookup<ShortLinkCode, ShortLink?>)
        case other(
            deadline: MonotonicInstant,
            run: @Sendable (DatabaseSession) -> Void,
            fail: @Sendable (any Error) -> Void
        )

        var deadline: MonotonicInstant {
            switch self {
            case .access(let lookup): lookup.deadline
            case .link(let lookup): lookup.deadline
            case .other(let deadline, _, _): deadline
            }
        }

        func fail(_ error: any Error) {
            switch self {
            case .access(let lookup): lookup.continuation.resume(throwing: error)
            case .link(let lookup): lookup.continuation.resume(throwing: error)
            case .other(_, _, let fail): fail(error)
            }
        }
    }

    private let thread: DatabaseThread<Job>
    private let timeout: Duration

    /// Starts a thread with a time limit for its reads.
    init(_ name: String, location: PostgresLocation, health: DatabaseHealth, timeout: Duration) {
        self.timeout = timeout
        thread = DatabaseThread(name, location: location, health: health, batchSize: Self.batchSize) { jobs, session in
            Self.answer(jobs, session: session)
        }
    }

    private var deadline: MonotonicInstant { MonotonicInstant.now.advanced(by: timeout) }

    /// Reads a user's level and grants.
    ///
    /// The user's digest is needed for the version of a user without a state.
    func access(of user: UserID, digest: [UInt8]?) async throws -> StoredAccess {
        try await withCheckedThrowingContinuation { continuation in
            thread.enqueue(.access(Lookup(key: (user, digest), deadline: deadline, continuation: continuation)))
        }
    }

    /// Reads the link of a code as written.
    ///
    /// - Throws: ``PostgresError``.
    func link(for code: ShortLinkCode) async throws -> ShortLink? {
        try await withCheckedThrowingContinuation { continuation in
            thread.enqueue(.link(Lookup(key: code, deadline: deadline, continuation: continuation)))
        }
    }

    /// Runs a closure on the thread.
    ///
    /// A repeatable closure runs again if the connection was found broken.
    func run<Value: Sendable>(
        isRepeatable: Bool = true,
        _ body: @Sendable @escaping (PostgresConnection) throws(PostgresError) -> Value
    ) async throws -> Value {
        let deadline = deadline
        return try await withCheckedThrowingContinuation { continuation in
            let run: @Sendable (DatabaseSession) -> Void = { session in
                do throws(PostgresError) {
                    let answer =
                        isRepeatable
                        ? try session.reading(until: deadline, body) : try session.with(until: deadline, body)
                    continuation.resume(returning: answer)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            thread.enqueue(.other(deadline: deadline, run: run) { continuation.resume(throwing: $0) })
        }
    }

    /// Runs a statement on the thread.
    func run(_ statement: Statement) async throws {
        try await run { connection throws(PostgresError) in _ = try connection.run(statement) }
    }

    /// Runs a statement on the thread, and returns a value for each row of its result.
    func rows<Value: Sendable>(
        _ sql: String,
        _ values: SQLValue...,
        each value: @Sendable @escaping (ResultRow) throws(PostgresError) -> Value
    ) async throws -> [Value] {
        let statement = Statement(sql, values: values)
        return try await run { connection throws(PostgresError) in try connection.run(statement).map(value) }
    }

    /// Ends the thread.
    func close() { thread.close() }

    private static func answer(_ jobs: [Job], session: DatabaseSession) {
        let accesses = jobs.compactMap { if case .access(let lookup) = $0 { lookup } else { nil } }
        answer(accesses, session: session) { connection, keys throws(PostgresError) in
            try self.accesses(keys, connection: connection)
        }
        let links = jobs.compactMap { if case .link(let lookup) = $0 { lookup } else { nil } }
        answer(links, session: session) { connection, codes throws(PostgresError) in
            let found = try connection.links(for: codes)
            return codes.map { found[$0] }
        }
        for case .other(let deadline, let run, let fail) in jobs {
            if deadline < MonotonicInstant.now { fail(session.lateness) } else { run(session) }
        }
    }

    /// Answers look-ups with the values of their keys.
    private static func answer<Key, Value>(
        _ lookups: [Lookup<Key, Value>],
        session: DatabaseSession,
        find: (PostgresConnection, [Key]) throws(PostgresError) -> [Value]
    ) {
        guard let deadline = lookups.map(\.deadline).max() else { return }
        do throws(PostgresError) {
            let values = try session.reading(until: deadline) { connection throws(PostgresError) in
                try find(connection, lookups.map(\.key))
            }
            for (lookup, value) in zip(lookups, values) { lookup.continuation.resume(returning: value) }
        } catch {
            for lookup in lookups { lookup.continuation.resume(throwing: error) }
        }
    }

    private static func accesses(
        _ keys: [AccessKey],
        connection: PostgresConnection
    ) throws(PostgresError) -> [StoredAccess] {
        let rows = try connection.run(
            "SELECT id, \(AccessColumns.ofState), version FROM user_state WHERE id = ANY($1::text[])",
            .texts(Set(keys.map(\.user)).map(\.text))
        )
        var found: [UserID: StoredAccess] = [:]
        for row in rows {
            found[try row.user(0)] = StoredAccess(access: try row.access(1), version: Int(try row.number(6)))
        }
        // The version of a user without a state is seldom needed.
        for key in keys where found[key.user] == nil {
            guard let digest = key.digest else { continue }
            let version = try connection.lastVersion(of: key.user, digest: digest)
            found[key.user] = StoredAccess(access: nil, version: version)
        }
        return keys.map { found[$0.user] ?? StoredAccess(access: nil, version: 0) }
    }
}
