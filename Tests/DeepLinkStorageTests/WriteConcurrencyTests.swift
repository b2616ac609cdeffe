import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Synchronization
import Testing
import WaymarkTestSupport

/// Tests that writers lose nothing, and that readers see nothing but what was written.
@Suite struct WriteConcurrencyTests {
    /// A write that was acknowledged.
    private struct Acknowledged: Hashable {
        let user: String
        let version: Int
        let level: AuthorizationLevel
    }

    /// The course of the writers, by which readers know when to end.
    private final class Course: Sendable {
        let isOver = Mutex(false)
    }

    private static let (writers, incrementsPerWriter) = (64, 2)

    /// Returns the level and the end that belong to a version.
    private func content(of version: Int) -> (level: AuthorizationLevel, end: Int64) {
        (AuthorizationLevel(rank: UInt8(version % 4)), Int64(version) * 1000)
    }

    /// Reads a state, and replaces it by its successor if nobody was faster; tries until that is so.
    ///
    /// - Returns: the version that was made.
    private func increment(_ name: String, in store: SQLiteStore) async throws -> Int {
        while true {
            let version = try store.state(of: StoreFixture.id(name))?.version ?? 0
            let next = content(of: version + 1)
            let write = try StoreFixture.write(name, next.level, until: next.end, if: .version([version]))
            do {
                return try await store.save(write).state.version
            } catch UserStateWriteError.versionMismatch {
                await Task.yield()
            }
        }
    }

    @Test func `64 writers increment one user, and readers see no torn state`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            let first = content(of: 1)
            _ = try await store.save(StoreFixture.write("ada", first.level, until: first.end))
            let course = Course()
            let readers = (0..<3)
                .map { _ in
                    Task {
                        var (last, count) = (0, 0)
                        while !course.isOver.withLock(\.self) {
                            let state = try #require(try store.state(of: StoreFixture.id("ada")))
                            let wanted = content(of: state.version)
                            #expect(state.level.level == wanted.level.levelName)
                            #expect(state.level.validUntil?.millisecondsSinceEpoch == wanted.end)
                            #expect(state.version >= last)
                            let history = try store.changes(of: state.id)
                            #expect(history.map(\.version) == Array(1...history.count))
                            #expect(history.count >= state.version)
                            (last, count) = (state.version, count + 1)
                            await Task.yield()
                        }
                        return count
                    }
                }
            let made = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<Self.writers {
                    group.addTask {
                        var versions: [Int] = []
                        for _ in 0..<Self.incrementsPerWriter {
                            versions.append(try await increment("ada", in: store))
                        }
                        return versions
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            course.isOver.withLock { $0 = true }
            for reader in readers { #expect(try await reader.value > 0) }
            let last = 1 + Self.writers * Self.incrementsPerWriter
            #expect(made.sorted() == Array(2...last))
            #expect(try store.state(of: StoreFixture.id("ada"))?.version == last)
            try store.close()
        }
    }

    @Test func `the history is what 64 writers were told, no more and no less`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            let acknowledged = try await withThrowingTaskGroup(of: [Acknowledged].self) { group in
                for writer in 0..<Self.writers {
                    group.addTask {
                        var all: [Acknowledged] = []
                        for round in 0..<8 {
                            let user = "user-\((writer + round) % 7)"
                            let level = AuthorizationLevel(rank: UInt8((writer + round) % 4))
                            // Every third is refused, and must leave no trace.
                            let isRefused = round % 3 == 2
                            // An end of its own, so that none is as it was.
                            let end = Int64(writer * 8 + round)
                            let write = try StoreFixture.write(
                                user,
                                level,
                                until: end,
                                if: isRefused ? .version([-1]) : .none
                            )
                            do {
                                let saved = try await store.save(write)
                                all.append(Acknowledged(user: user, version: saved.state.version, level: level))
                                #expect(!isRefused)
                            } catch is UserStateWriteError {
                                #expect(isRefused)
                            }
                        }
                        return all
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let stored = try (0..<7)
                .flatMap { number in
                    let user = "user-\(number)"
                    return try store.changes(of: StoreFixture.id(user))
                        .map { change in
                            let level = try #require(change.level?.level(in: .standard, hasEnded: false))
                            return Acknowledged(user: user, version: change.version, level: level)
                        }
                }
            #expect(acknowledged.count == Self.writers * 6)
            #expect(stored.count == acknowledged.count)
            #expect(Set(stored) == Set(acknowledged))
            try store.close()
        }
    }
}
