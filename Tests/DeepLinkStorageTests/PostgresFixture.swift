import DeepLinkCore
import DeepLinkStorage
import Foundation
import Logging
import Testing
import WaymarkTestSupport

@testable import DeepLinkPostgres

/// A PostgreSQL database for one test: a schema of its own on a server that `scripts/test` starts, and names in
/// `WAYMARK_TEST_POSTGRES`.
struct PostgresFixture {
    /// The server's URI, with a database that tests may fill; `nil` if none is named, and then these tests are skipped.
    static let server = ProcessInfo.processInfo.environment["WAYMARK_TEST_POSTGRES"]

    /// The condition of a test that needs the server.
    static let isThere = ConditionTrait.enabled(
        if: server != nil,
        "No PostgreSQL server is named; scripts/test starts one, and sets WAYMARK_TEST_POSTGRES."
    )

    /// Times that a busy machine keeps, too: what is not about them waits for its answer.
    static let patient: PostgresStore.Timeouts = {
        var timeouts = PostgresStore.Timeouts()
        timeouts.level = .seconds(600)
        timeouts.read = .seconds(600)
        timeouts.write = .seconds(600)
        timeouts.opening = .seconds(600)
        return timeouts
    }()

    let uri: String

    /// Runs a body with a new schema, and drops it.
    static func with(isSerializable: Bool = false, _ body: (PostgresFixture) async throws -> Void) async throws {
        let server = try #require(server)
        let schema = "test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await run(["CREATE SCHEMA \(schema)"], on: server)
        let isolation = isSerializable ? "%20-cdefault_transaction_isolation%3Dserializable" : ""
        let separator = server.contains("?") ? "&" : "?"
        let fixture = PostgresFixture(uri: server + separator + "options=-csearch_path%3D\(schema)\(isolation)")
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        try await run(["DROP SCHEMA \(schema) CASCADE"], on: server)
        try result.get()
    }

    /// The place of the database.
    var location: PostgresLocation { get throws { try #require(try PostgresLocation(uri)) } }

    /// Opens the database; by itself, changes are made when the test says so.
    func open(
        _ use: PostgresStore.Use = .serving,
        memory: PostgresStore.Memory = PostgresStore.Memory(),
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        timeouts: PostgresStore.Timeouts = patient,
        usesSnapshots: Bool = true,
        clock: PostgresStore.Clock = .author,
        codeGenerator: ShortLinkCodeGenerator = .system,
        logger: Logger = LogLines().logger
    ) async throws -> PostgresStore {
        try await PostgresStore(
            try location,
            use: use,
            memory: memory,
            historyLimits: historyLimits,
            timeouts: timeouts,
            usesSnapshots: usesSnapshots,
            clock: clock,
            codeGenerator: codeGenerator,
            logger: logger
        )
    }

    /// Runs statements, one after the other.
    func run(_ statements: String...) async throws { try await Self.run(statements, on: uri) }

    /// Reads the one number that a statement gives.
    func number(_ statement: String) async throws -> Int64 {
        try await Self.with(uri) { connection throws(PostgresError) in
            try connection.run(statement)[0].number(0)
        }
    }

    /// Runs a body with a connection of its own.
    static func with<Result: Sendable>(
        _ uri: String,
        _ body: @Sendable @escaping (PostgresConnection) throws(PostgresError) -> Result
    ) async throws -> Result {
        let location = try #require(try PostgresLocation(uri))
        let reader = DatabaseReader(
            "waymark test",
            location: location,
            health: DatabaseHealth(),
            timeout: patient.read
        )
        defer { reader.close() }
        return try await reader.run(body)
    }

    private static func run(_ statements: [String], on uri: String) async throws {
        try await with(uri) { connection throws(PostgresError) in
            for statement in statements { _ = try connection.run(statement) }
        }
    }
}
