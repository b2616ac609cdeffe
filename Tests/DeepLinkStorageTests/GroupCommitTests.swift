import DeepLinkCore
import Foundation
import GRDB
import Logging
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

@Suite struct GroupCommitTests {
    private struct Refused: Error {}

    /// An observer that counts the transactions of the one connection that writes.
    private final class CommitCounter: TransactionObserver, Sendable {
        let count = Mutex(0)

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ database: Database) { count.withLock { $0 += 1 } }
        func databaseDidRollback(_ database: Database) {}
    }

    /// The state of the one connection that writes: kept from its work, or not.
    private final class Connection: Sendable {
        let isHeld = Mutex(false)
    }

    /// Opens a database with a table of numbers.
    private func withCommits(_ body: (GroupCommit, DatabasePool) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let pool = try DatabasePool(path: folder + "/test.sqlite")
            try await pool.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
            let writeSwitch = WriteSwitch(
                path: pool.path,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let log = WriteAheadLog(DatabaseFile(pool.path), writeSwitch: writeSwitch)
            try await body(GroupCommit(pool, writeSwitch: writeSwitch, log: log), pool)
            try pool.close()
        }
    }

    private func numbers(_ pool: DatabasePool) async throws -> [Int] {
        try await pool.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
    }

    /// Holds the connection until so many changes wait, so that they must share a transaction.
    private func gather(_ count: Int, in commits: GroupCommit, _ change: @Sendable @escaping (Int) async throws -> Void)
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let connection = Connection()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await commits.write { _ in
                    connection.isHeld.withLock { $0 = true }
                    gate.wait()
                }
            }
            while !connection.isHeld.withLock(\.self) { try await Task.sleep(for: .milliseconds(1)) }
            for number in 0..<count { group.addTask { try await change(number) } }
            while commits.state.withLock(\.waiting.count) < count { try await Task.sleep(for: .milliseconds(1)) }
            gate.signal()
            try await group.waitForAll()
        }
    }

    @Test func `of large changes only as many share a commit as a batch may have rows`() async throws {
        for (size, commits) in [(1, 1), (100, 1), (200, 2), (1024, 9), (5000, 9)] {
            try await withCommits { group, pool in
                let counter = CommitCounter()
                pool.add(transactionObserver: counter, extent: .observerLifetime)
                try await gather(9, in: group) { number in
                    try await group.write(
                        { try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number]) },
                        size: size
                    )
                }
                #expect(try await numbers(pool) == Array(0..<9))
                // The first one held the connection.
                #expect(counter.count.withLock(\.self) - 1 == commits, "\(size)")
            }
        }
    }

    @Test func `changes that wait together share one commit`() async throws {
        try await withCommits { commits, pool in
            let counter = CommitCounter()
            pool.add(transactionObserver: counter, extent: .observerLifetime)
            try await gather(64, in: commits) { number in
                try await commits.write { try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number]) }
            }
            #expect(counter.count.withLock(\.self) == 2)
            let all = try await numbers(pool)
            #expect(all == Array(0..<64))
        }
    }

    @Test func `a change that fails undoes nothing of its neighbours`() async throws {
        try await withCommits { commits, pool in
            let failures = Mutex(0)
            try await gather(40, in: commits) { number in
                do {
                    try await commits.write { database in
                        try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
                        // Every fourth thinks better of it, and every other fourth breaks a constraint.
                        if number % 4 == 1 { throw Refused() }
                        if number % 4 == 3 {
                            try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number - 1])
                            try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number - 1])
                        }
                    }
                } catch { failures.withLock { $0 += 1 } }
            }
            #expect(failures.withLock(\.self) == 20)
            let all = try await numbers(pool)
            #expect(all == stride(from: 0, to: 40, by: 2).map(\.self))
        }
    }

    @Test func `where the transaction is ended, everyone in it is told`() async throws {
        try await withCommits { commits, pool in
            let failures = Mutex(0)
            try await gather(16, in: commits) { number in
                do {
                    try await commits.write { database in
                        try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
                        if number == 7 { try database.execute(sql: "ROLLBACK") }
                    }
                } catch { failures.withLock { $0 += 1 } }
            }
            #expect(failures.withLock(\.self) == 16)
            var all = try await numbers(pool)
            #expect(all.isEmpty)
            // The connection is as good as before.
            try await commits.write { try $0.execute(sql: "INSERT INTO number VALUES (99)") }
            all = try await numbers(pool)
            #expect(all == [99])
        }
    }
}
