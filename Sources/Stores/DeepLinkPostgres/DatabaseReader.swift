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

    private struct Question: Sendable {
        let user: UserID
        let wantsVersion: Bool
        let continuation: CheckedContinuation<StoredAccess, any Error>
    }

    private struct LinkQuestion: Sendable {
        let code: ShortLinkCode
        let continuation: CheckedContinuation<ShortLink?, any Error>
    }

    private enum Job: DatabaseJob {
        case access(Question, deadline: Moment)
        case link(LinkQuestion, deadline: Moment)
        case other(
            deadline: Moment,
            run: @Sendable (DatabaseSession) -> Void,
            fail: @Sendable (any Error) -> Void
        )

        var deadline: Moment {
            switch self {
            case .access(_, let deadline), .link(_, let deadline): deadline
            case .other(let deadline, _, _): deadline
            }
        }

        func fail(_ error: any Error) {
            switch self {
            case .access(let question, _): question.continuation.resume(throwing: error)
            case .link(let question, _): question.continuation.resume(throwing: error)
            case .other(_, _, let fail): fail(error)
            }
        }
    }

    private let thread: DatabaseThread<Job>
    private let timeout: Duration

    /// Starts a thread with a time limit for its reads.
    init(
        _ name: String,
        location: PostgresLocation,
        health: DatabaseHealth,
        timeout: Duration,
        secrets: DatabaseSecrets
    ) {
        self.timeout = timeout
        thread = DatabaseThread(name, location: location, health: health, batchSize: Self.batchSize) { jobs, session in
            Self.answer(jobs, session: session, secrets: secrets)
        }
    }

    /// Reads a user's level and grants.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - wantsVersion: Whether the version is needed even if there is no state.
    /// - Returns: The access with the version.
    /// - Throws: ``PostgresError``.
    func access(of user: UserID, wantsVersion: Bool) async throws -> StoredAccess {
        try await withCheckedThrowingContinuation { continuation in
            let question = Question(user: user, wantsVersion: wantsVersion, continuation: continuation)
            thread.hand(.access(question, deadline: Moment.now.advanced(by: timeout)))
        }
    }

    /// Reads the link of a code as written.
    ///
    /// - Throws: ``PostgresError``.
    func link(for code: ShortLinkCode) async throws -> ShortLink? {
        try await withCheckedThrowingContinuation { continuation in
            let question = LinkQuestion(code: code, continuation: continuation)
            thread.hand(.link(question, deadline: Moment.now.advanced(by: timeout)))
        }
    }

    /// Runs a closure on the thread.
    ///
    /// - Parameters:
    ///   - limit: The time limit, by default the reader's own.
    ///   - isRepeatable: Whether the closure may run again if the connection was found broken.
    ///   - body: The work, given the connection and the deadline.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or ``PostgresError``.
    func run<Answer: Sendable>(
        within limit: Duration? = nil,
        isRepeatable: Bool = true,
        _ body: @Sendable @escaping (PostgresConnection, Moment) throws(PostgresError) -> Answer
    ) async throws -> Answer {
        let deadline = Moment.now.advanced(by: limit ?? timeout)
        return try await withCheckedThrowingContinuation { continuation in
            let run: @Sendable (DatabaseSession) -> Void = { session in
                do throws(PostgresError) {
                    let call: (PostgresConnection) throws(PostgresError) -> Answer = {
                        connection throws(PostgresError) in try body(connection, deadline)
                    }
                    let answer =
                        isRepeatable
                        ? try session.reading(until: deadline, call) : try session.with(until: deadline, call)
                    continuation.resume(returning: answer)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            thread.hand(.other(deadline: deadline, run: run) { continuation.resume(throwing: $0) })
        }
    }

    /// Ends the thread.
    func close() { thread.close() }

    private static func answer(_ jobs: [Job], session: DatabaseSession, secrets: DatabaseSecrets) {
        var questions: [Question] = []
        var first: Moment?
        for case .access(let question, let deadline) in jobs {
            questions.append(question)
            first = first.map { max($0, deadline) } ?? deadline
        }
        if let first { answer(questions, until: first, session: session, secrets: secrets) }
        answerLinks(jobs, session: session)
        for case .other(let deadline, let run, let fail) in jobs {
            if deadline < Moment.now { fail(session.lateness) } else { run(session) }
        }
    }

    /// Reads the links of all waiting codes in one statement.
    private static func answerLinks(_ jobs: [Job], session: DatabaseSession) {
        var questions: [LinkQuestion] = []
        var last = Moment(nanoseconds: .min)
        for case .link(let question, let deadline) in jobs {
            questions.append(question)
            last = max(last, deadline)
        }
        guard !questions.isEmpty else { return }
        do throws(PostgresError) {
            let found = try session.reading(until: last) { connection throws(PostgresError) in
                try ShortLinkRows.links(for: questions.map(\.code), connection, until: last)
            }
            for question in questions { question.continuation.resume(returning: found[question.code]) }
        } catch {
            for question in questions { question.continuation.resume(throwing: error) }
        }
    }

    private static func answer(
        _ questions: [Question],
        until deadline: Moment,
        session: DatabaseSession,
        secrets: DatabaseSecrets
    ) {
        do throws(PostgresError) {
            let found = try session.reading(until: deadline) { connection throws(PostgresError) in
                try accesses(questions, connection: connection, until: deadline, secrets: secrets)
            }
            for question in questions {
                question.continuation.resume(returning: found[question.user] ?? StoredAccess(access: nil, version: 0))
            }
        } catch {
            for question in questions { question.continuation.resume(throwing: error) }
        }
    }

    private static func accesses(
        _ questions: [Question],
        connection: PostgresConnection,
        until deadline: Moment,
        secrets: DatabaseSecrets
    ) throws(PostgresError) -> [UserID: StoredAccess] {
        let ids = Set(questions.map(\.user)).map(\.text)
        let rows = try connection.run(
            Statement(
                "SELECT id, \(AccessColumns.ofState), version FROM user_state WHERE id = ANY($1::text[])",
                .texts(ids)
            ),
            until: deadline
        )
        var found: [UserID: StoredAccess] = [:]
        for row in 0..<rows.count {
            found[try rows.user(row, column: 0)] = StoredAccess(
                access: try rows.access(row, column: 1),
                version: Int(try rows.number(row, column: 6))
            )
        }
        // The version of a user without a state is seldom needed.
        for question in questions where question.wantsVersion && found[question.user] == nil {
            let version = try UserRows.lastVersion(
                of: question.user,
                connection: connection,
                until: deadline,
                secrets: secrets
            )
            found[question.user] = StoredAccess(access: nil, version: version)
        }
        return found
    }
}
