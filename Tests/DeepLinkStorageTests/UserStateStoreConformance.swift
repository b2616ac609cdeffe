import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Foundation
import Testing
import WaymarkTestSupport

/// Tests of what every store of user states must do; each test runs against each of them.
@Suite struct UserStateStoreConformance {
    private func withStore(_ kind: StoreKind, _ body: (any UserStateStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    private func id(_ text: String) throws -> UserID { try #require(UserID(text)) }

    private func write(
        _ id: UserID,
        _ level: AuthorizationLevel = .signedInUser,
        until end: Int64? = nil,
        after: AuthorizationLevel? = nil,
        if precondition: UserStatePrecondition = .none,
        at time: Int64 = 1
    ) throws -> UserStateWrite {
        UserStateWrite(
            id: id,
            level: try #require(
                LevelAssignment(
                    level: level,
                    validUntil: end.map(Timestamp.init(millisecondsSinceEpoch:)),
                    levelAfter: after
                )
            ),
            precondition: precondition,
            time: Timestamp(millisecondsSinceEpoch: time),
            author: "test"
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a state that was never set is not there`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            #expect(try await store.state(of: id("nobody")) == nil)
            #expect(try await store.access(of: id("nobody")) == nil)
            #expect(try await store.states(after: nil, limit: 10).isEmpty)
            #expect(
                try await store.remove(
                    UserStateRemoval(id: id("nobody"), time: .init(millisecondsSinceEpoch: 1), author: "test")
                ) == false
            )
            try store.checkUsable()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `users are counted by the level that counts at a moment`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            #expect(try await store.levelCounts(at: .init(millisecondsSinceEpoch: 5)) == LevelCounts())
            var users: [LevelAssignment] = []
            for level in AuthorizationLevel.allCases {
                for end in [nil, 4, 5, 6] as [Int64?] {
                    for after in [nil, AuthorizationLevel.none, level] as [AuthorizationLevel?] {
                        let write = try write(id("user \(users.count)"), level, until: end, after: after)
                        users.append(write.level)
                        _ = try await store.save(write)
                    }
                }
            }
            for effectiveTime in [3, 4, 5, 6, 7] as [Int64] {
                let time = Timestamp(millisecondsSinceEpoch: effectiveTime)
                var expected = LevelCounts()
                for user in users { expected[user.level(at: time)] += 1 }
                #expect(try await store.levelCounts(at: time) == expected)
                #expect(expected.total == users.count)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a write is read back whole`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice é\u{1F600}")
            let saved = try await store.save(write(alice, .premiumUser, until: 5, after: .onboardingCompleted, at: 2))
            #expect(saved.isNew)
            #expect(saved.state.version == 1)
            #expect(saved.state.updatedAt.millisecondsSinceEpoch == 2)
            #expect(try await store.state(of: alice) == saved.state)
            #expect(saved.state.level.levelAfter == .onboardingCompleted)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a write replaces the state whole and counts on`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice")
            _ = try await store.save(write(alice, .premiumUser, until: 5, after: AuthorizationLevel.none))
            let second = try await store.save(write(alice, .onboardingCompleted, at: 9))
            #expect(!second.isNew)
            #expect(second.state.version == 2)
            #expect(second.state.level.validUntil == nil && second.state.level.levelAfter == nil)
            #expect(try await store.state(of: alice) == second.state)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `versions go on after a deletion`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice")
            _ = try await store.save(write(alice))
            let removal = UserStateRemoval(id: alice, time: .init(millisecondsSinceEpoch: 2), author: "test")
            #expect(try await store.remove(removal))
            #expect(try await store.state(of: alice) == nil)
            let again = try await store.save(write(alice))
            #expect(again.isNew)
            #expect(again.state.version > 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `access is what the last acknowledged write said`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice")
            #expect(try await store.access(of: alice) == nil)
            let first = try write(alice, .premiumUser, until: 5, after: .onboardingCompleted)
            _ = try await store.save(first)
            for _ in 0..<2 { #expect(try await store.access(of: alice)?.level == first.level) }
            let second = try write(alice, .onboardingCompleted)
            _ = try await store.save(second)
            #expect(try await store.access(of: alice)?.level == second.level)
            await #expect(throws: UserStateWriteError.self) { try await store.save(write(alice, if: .version([9]))) }
            #expect(try await store.access(of: alice)?.level == second.level)
            let removal = UserStateRemoval(id: alice, time: .init(millisecondsSinceEpoch: 2), author: "test")
            #expect(try await store.remove(removal))
            for _ in 0..<2 { #expect(try await store.access(of: alice) == nil) }
            _ = try await store.save(first)
            #expect(try await store.access(of: alice)?.level == first.level)
            #expect(try await store.access(of: id("Alice")) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a precondition that does not hold changes nothing`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice")
            await #expect(throws: UserStateWriteError.versionMismatch(current: nil)) {
                try await store.save(write(alice, if: .exists))
            }
            let first = try await store.save(write(alice))
            await #expect(throws: UserStateWriteError.versionMismatch(current: 1)) {
                try await store.save(write(alice, .premiumUser, if: .version([7, 8])))
            }
            await #expect(throws: UserStateWriteError.versionMismatch(current: 1)) {
                try await store.remove(
                    UserStateRemoval(
                        id: alice,
                        precondition: .version([]),
                        time: .init(millisecondsSinceEpoch: 2),
                        author: "test"
                    )
                )
            }
            #expect(try await store.state(of: alice) == first.state)
            #expect(try await store.save(write(alice, until: 2, if: .version([7, 1]))).state.version == 2)
            #expect(try await store.save(write(alice, until: 3, if: .exists)).state.version == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `states are listed in the order of the ids' bytes, page by page`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            for name in ["b", "a", "é", "B", "aa"] { _ = try await store.save(write(id(name))) }
            #expect(try await store.states(after: nil, limit: 10).map(\.id.text) == ["B", "a", "aa", "b", "é"])
            #expect(try await store.states(after: nil, limit: 2).map(\.id.text) == ["B", "a"])
            #expect(try await store.states(after: id("a"), limit: 2).map(\.id.text) == ["aa", "b"])
            #expect(try await store.states(after: id("é"), limit: 2).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the history holds every change in order, deletions too`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice")
            #expect(try await store.history(of: alice).isEmpty)
            _ = try await store.save(write(alice, .premiumUser, at: 5))
            _ = try await store.save(write(id("bob"), at: 6))
            let removal = UserStateRemoval(id: alice, time: .init(millisecondsSinceEpoch: 7), author: "remover")
            #expect(try await store.remove(removal))
            _ = try await store.save(write(alice, AuthorizationLevel.none, at: 8))
            await #expect(throws: UserStateWriteError.versionMismatch(current: 3)) {
                try await store.save(write(alice, if: .version([1])))
            }
            let history = try await store.history(of: alice)
            #expect(history.map(\.version) == [1, 2, 3])
            #expect(history.map(\.level?.level) == [.premiumUser, nil, LevelName.none])
            #expect(history.map(\.at.millisecondsSinceEpoch) == [5, 7, 8])
            #expect(history.map(\.author) == ["test", "remover", "test"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `64 writers lose no update`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try id("alice")
            let requests = try (1...64).map { try write(alice, until: Int64($0)) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for request in requests { group.addTask { try await store.save(request).state.version } }
                var versions: [Int] = []
                for try await version in group { versions.append(version) }
                #expect(versions.sorted() == Array(1...64))
            }
            #expect(try await store.state(of: alice)?.version == 64)
            #expect(try await store.history(of: alice).map(\.version) == Array(1...64))
        }
    }
}
