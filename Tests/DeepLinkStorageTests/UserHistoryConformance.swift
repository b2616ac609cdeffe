import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of what every store of user states must do with their history; each test runs against each of them.
@Suite struct UserHistoryConformance {
    private func withStore(
        _ kind: StoreKind,
        _ limits: UserHistoryLimits = UserHistoryLimits(),
        _ body: (any UserStateStore) async throws -> Void
    ) async throws {
        try await kind.with(
            historyLimits: limits,
            memory: { InMemoryUserStateStore(historyLimits: limits) },
            stored: { $0 },
            body
        )
    }

    /// Writes a state that differs from all others by its end.
    private func write(_ number: Int, at time: Int64 = 1) throws -> UserStateWrite {
        UserStateWrite(
            id: try StoreFixture.id("ada"),
            level: try #require(
                LevelAssignment(
                    level: .premiumUser,
                    validUntil: Timestamp(millisecondsSinceEpoch: Int64(number)),
                    levelAfter: .onboardingCompleted
                )
            ),
            time: Timestamp(millisecondsSinceEpoch: time),
            author: "test"
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a state that is there already is not written again`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let ada = try StoreFixture.id("ada")
            let first = try await store.save(write(7, at: 1))
            let again = try await store.save(write(7, at: 2))
            #expect(first.isNew && !again.isNew)
            #expect((again.state.version, again.state.updatedAt) == (first.state.version, first.state.updatedAt))
            #expect(try await store.state(of: ada) == again.state)
            #expect(try await store.history(of: ada).count == 1)
            // The condition counts all the same, and a change in between makes it another state.
            await #expect(throws: UserStateWriteError.versionMismatch(current: 1)) {
                try await store.save(StoreFixture.write("ada", .premiumUser, until: 7, if: .version([2])))
            }
            #expect(try await store.save(write(8, at: 3)).state.version == 2)
            #expect(try await store.save(write(7, at: 4)).state.version == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the history is read page by page, with all that was set`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let ada = try StoreFixture.id("ada")
            for number in 1...5 { _ = try await store.save(write(number)) }
            let removal = UserStateRemoval(id: ada, time: Timestamp(millisecondsSinceEpoch: 2), author: "test")
            #expect(try await store.remove(removal))
            #expect(try await store.history(of: ada, after: 0, limit: 2).map(\.version) == [1, 2])
            #expect(try await store.history(of: ada, after: 2, limit: 3).map(\.version) == [3, 4, 5])
            #expect(try await store.history(of: ada, after: 5, limit: 3).map(\.version) == [6])
            #expect(try await store.history(of: ada, after: 6, limit: 3).isEmpty)
            let levels = try (1...5).map { try write($0).level } + [nil]
            #expect(try await store.history(of: ada).map(\.level) == levels)
        }
    }

    @Test(arguments: StoreKind.allCases, [1, 2, 10])
    func `the history keeps so many changes, the newest always`(_ kind: StoreKind, _ count: Int) async throws {
        try await withStore(kind, UserHistoryLimits(maximumCount: count)) { store in
            let ada = try StoreFixture.id("ada")
            for number in 1...30 {
                _ = try await store.save(write(number))
                let kept = max(1, number - count + 1)...number
                #expect(try await store.history(of: ada).map(\.version) == Array(kept))
            }
            let removal = UserStateRemoval(id: ada, time: Timestamp(millisecondsSinceEpoch: 2), author: "test")
            #expect(try await store.remove(removal))
            #expect(try await store.save(write(1)).state.version == 32)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the history drops what is too old, the newest never`(_ kind: StoreKind) async throws {
        try await withStore(kind, UserHistoryLimits(maximumAge: 10)) { store in
            let ada = try StoreFixture.id("ada")
            for (number, time) in [(1, 1), (2, 5), (3, 8)] { _ = try await store.save(write(number, at: Int64(time))) }
            #expect(try await store.history(of: ada).map(\.version) == [1, 2, 3])
            _ = try await store.save(write(4, at: 16))
            #expect(try await store.history(of: ada).map(\.version) == [3, 4])
            _ = try await store.save(write(5, at: 1000))
            #expect(try await store.history(of: ada).map(\.version) == [5])
            // The clock went back: what is in between stays as long as what is before it.
            _ = try await store.save(write(6, at: 20))
            _ = try await store.save(write(7, at: 1005))
            #expect(try await store.history(of: ada).map(\.version) == [5, 6, 7])
        }
    }

    @Test func `a history that grew before it was bounded becomes shorter with each change`() async throws {
        try await StoreFixture.with { fixture in
            do {
                let store = try fixture.serving()
                for number in 1...60 { _ = try await store.save(write(number)) }
                try store.close()
            }
            let store = try SQLiteStore(
                path: fixture.path,
                use: .serving,
                historyLimits: UserHistoryLimits(maximumCount: 10)
            )
            var counts: [Int] = []
            for number in 61...90 {
                _ = try await store.save(write(number))
                counts.append(try await store.history(of: StoreFixture.id("ada")).count)
            }
            #expect(counts == counts.sorted(by: >))
            #expect(counts.first.map { $0 > 50 } == true && counts.last == 10)
            try store.close()
        }
    }
}
