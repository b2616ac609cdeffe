import DeepLinkCore
import DeepLinkStorage
import GRDB
import Logging
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of what a store notices and does while it is in use.
@Suite struct StoreMaintenanceTests {
    /// The observer that collects what a store says of others' changes.
    private final class Heard: ExternalChangeObserver {
        private let changes = Mutex<[ExternalChange]>([])

        func note(_ change: ExternalChange) { changes.withLock { $0.append(change) } }

        func confirm(asOf instant: MonotonicInstant) {}

        /// Returns what was said since the last call.
        func take() -> [ExternalChange] {
            changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }

        /// Returns the users of what was said since the last call.
        func users() -> Set<String> {
            Set(take().flatMap { change in if case .users(let users) = change { users.map(\.text) } else { ["?"] } })
        }
    }

    @Test func `changes of others are told once, one's own never`() async throws {
        try await StoreFixture.with { fixture in
            let heard = Heard()
            let (server, other) = (try fixture.serving(observer: heard), try fixture.offline())
            try await server.pollExternalChanges()
            _ = try await server.save(StoreFixture.write("own"))
            try await server.pollExternalChanges()
            #expect(heard.take().isEmpty)

            _ = try await other.save(StoreFixture.write("ada"))
            _ = try await other.save(StoreFixture.write("ada", .premiumUser))
            _ = try await other.save(StoreFixture.write("bob"))
            try await server.pollExternalChanges()
            #expect(heard.users() == ["ada", "bob"])
            try await server.pollExternalChanges()
            #expect(heard.take().isEmpty)

            // A change of one's own comes after those that it follows.
            let removal = UserStateRemoval(
                id: try StoreFixture.id("ada"),
                time: Timestamp(millisecondsSinceEpoch: 2),
                author: "test"
            )
            #expect(try await other.remove(removal))
            _ = try await server.save(StoreFixture.write("own"))
            #expect(heard.users() == ["ada"])
            try await server.pollExternalChanges()
            #expect(heard.take().isEmpty)

            // The history does not tell of every change.
            _ = try await other.bind(
                ContinuationID.random(),
                to: StoreFixture.id("ada"),
                until: Timestamp(millisecondsSinceEpoch: 10),
                at: Timestamp(millisecondsSinceEpoch: 1)
            )
            try await server.pollExternalChanges()
            #expect(heard.take() == [.everything])
            try other.close()
            try server.close()
        }
    }

    @Test func `neither a command that ends nor one's own care for the log looks like a change`() async throws {
        try await StoreFixture.with { fixture in
            let heard = Heard()
            let server = try fixture.serving(observer: heard)
            _ = try await server.save(StoreFixture.write("own"))
            do {
                let command = try fixture.offline()
                _ = try await command.save(StoreFixture.write("ada"))
                try await server.pollExternalChanges()
                #expect(heard.users() == ["ada"])
                try command.close()
            }
            try await server.pollExternalChanges()
            #expect(heard.take().isEmpty)
            do {
                let command = try fixture.offline()
                #expect(try command.state(of: StoreFixture.id("ada"))?.version == 1)
                try command.close()
            }
            #expect(try await server.limitLog(from: 1))
            #expect(server.logByteCount == 0)
            for end in 0..<600 { _ = try await server.save(StoreFixture.write("own", until: Int64(end))) }
            try await server.pollExternalChanges()
            #expect(heard.take().isEmpty)
            try server.close()
        }
    }

    @Test func `short links of others concern no user, and hide no change that does`() async throws {
        typealias Links = ShortLinkFixture
        try await StoreFixture.with { fixture in
            let heard = Heard()
            let (server, other) = (try fixture.serving(observer: heard), try fixture.offline())
            let contents = ShortLinkContents(target: Links.target(), about: try StoreFixture.id("ada"))
            let erasure = UserStateRemoval(
                id: try StoreFixture.id("ada"),
                time: Links.time(3000),
                author: "test",
                isErasure: true
            )
            let changes: [() async throws -> Void] = [
                { _ = try await other.save(Links.write("sale", contents)) },
                { _ = try await other.save(Links.write("sale", Links.contents(of: "8"), at: 1500)) },
                { _ = try await other.withdraw(Links.removal("sale")) },
                { _ = try await other.save(Links.write("ada", contents)) },
                // Links alone.
                { _ = try await other.remove(erasure) },
            ]
            for change in changes {
                try await change()
                try await server.pollExternalChanges()
                #expect(heard.take().isEmpty)
            }
            _ = try await other.save(Links.write("next"))
            _ = try await other.save(StoreFixture.write("bob"))
            try await server.pollExternalChanges()
            #expect(heard.users() == ["bob"])
            // Changes of this store explain none of others.
            for step in 0..<2 {
                _ = try await server.save(Links.write("own", Links.contents(of: "\(step)"), at: Int64(step + 1) * 1000))
                #expect(heard.take().isEmpty)
                let queue = try DatabaseQueue(path: fixture.path)
                try await queue.write { try $0.execute(sql: "UPDATE user_state SET version = 9 - \(step)") }
                try queue.close()
                try await server.pollExternalChanges()
                #expect(heard.take() == [.everything])
            }
            try other.close()
            try server.close()
        }
    }

    @Test func `many changes of others are told whole`() async throws {
        try await StoreFixture.with { fixture in
            let heard = Heard()
            let (server, other) = (try fixture.serving(observer: heard), try fixture.offline())
            _ = try await other.saveEach((0..<12_000).map { try StoreFixture.write("user-\($0)") })
            try await server.pollExternalChanges()
            #expect(heard.users() == Set((0..<12_000).map { "user-\($0)" }))
            try other.close()
            try server.close()
        }
    }

    @Test func `a history that goes back says that anything may have changed`() async throws {
        try await StoreFixture.with { fixture in
            let heard = Heard()
            let server = try fixture.serving(observer: heard)
            _ = try await server.save(StoreFixture.write("ada"))
            _ = try await server.save(StoreFixture.write("bob"))
            let queue = try DatabaseQueue(path: fixture.path)
            try await queue.write { try $0.execute(sql: "DELETE FROM user_history WHERE user_id = 'bob'") }
            try await server.pollExternalChanges()
            #expect(heard.take() == [.everything])
            try queue.close()
            try server.close()
        }
    }

    @Test func `maintenance looks by itself, and checks the file first`() async throws {
        try await StoreFixture.with { fixture in
            try fixture.serving().close()
            try fixture.markUnclean()
            let heard = Heard()
            let server = try fixture.serving(checksAtOnce: false, observer: heard)
            let maintenance = Task {
                await StoreMaintenance(store: server, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                    .run()
            }
            while server.refusal != nil { try await Task.sleep(for: .milliseconds(5)) }
            let other = try fixture.offline()
            _ = try await other.save(StoreFixture.write("ada"))
            var users: Set<String> = []
            while users.isEmpty {
                try await Task.sleep(for: .milliseconds(5))
                users = heard.users()
            }
            #expect(users == ["ada"])
            maintenance.cancel()
            await maintenance.value
            try other.close()
            try server.close()
        }
    }

    @Test func `the log is cut to nothing, without waiting for who reads it`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.serving()
            _ = try await server.saveEach((0..<100).map { try StoreFixture.write("user-\($0)") })
            let size = server.logByteCount
            #expect(size > 4096)
            #expect(try await server.limitLog())
            #expect(server.logByteCount == size)

            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: fixture.path, configuration: configuration)
            try await reader.writeWithoutTransaction { database in
                try database.execute(sql: "BEGIN; SELECT count(*) FROM user_state")
            }
            _ = try await server.save(StoreFixture.write("ada"))
            #expect(try await server.limitLog(from: 1) == false)
            #expect(server.logByteCount >= size)
            // The time that changes wait for others is as before.
            let timeout = try await server.pool.writeWithoutTransaction { database in
                try Int.fetchOne(database, sql: "PRAGMA busy_timeout")
            }
            #expect(timeout == 5000)

            try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            #expect(try await server.limitLog(from: 1))
            #expect(server.logByteCount == 0)
            #expect(try server.state(of: StoreFixture.id("ada"))?.version == 1)
            try reader.close()
            try server.close()
        }
    }

    @Test func `a read that ends soon is no warning, and one that lasts is one every ten seconds`() {
        var attempts = LogLimitAttempts()
        // The numbers of the searches with an attempt, and of those with a warning, while the reads last.
        func watch(_ searches: ClosedRange<Int>, reads: ClosedRange<Int>) -> (attempts: [Int], warnings: [Int]) {
            var (tried, warned) = ([Int](), [Int]())
            for search in searches where attempts.isDue() {
                tried.append(search)
                if attempts.isWarning(isLimited: !reads.contains(search)) { warned.append(search) }
            }
            return (tried, warned)
        }
        let short = watch(1...120, reads: 40...42)
        #expect(short.attempts == [40, 41, 42, 43, 80, 120])
        #expect(short.warnings.isEmpty)
        let long = watch(121...320, reads: 160...245)
        #expect(long.attempts == Array(160...246) + [280, 320])
        #expect(long.warnings == [199, 239])
    }

    @Test func `the log is written again from its beginning, however many changes are made`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.serving()
            var sizes: [Int] = []
            for round in 0..<4 {
                for end in 0..<512 {
                    _ = try await server.save(StoreFixture.write("ada", until: Int64(round * 512 + end)))
                }
                sizes.append(server.logByteCount)
            }
            #expect(sizes[3] < 2 * sizes[0])
            try server.close()
        }
    }

    @Test func `no read holds an old state after its call`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.serving()
            _ = try await server.save(StoreFixture.write("ada"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        _ = try server.state(of: StoreFixture.id("ada"))
                        _ = try server.rows.access(of: StoreFixture.id("ada"))
                        _ = try server.states(after: nil, limit: 10)
                        _ = try server.changes(of: StoreFixture.id("ada"))
                        try server.checkUsable()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await server.limitLog(from: 1))
            #expect(server.logByteCount == 0)
            try server.close()
        }
    }
}
