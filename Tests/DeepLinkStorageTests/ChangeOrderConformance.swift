import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of what every store of user states must do with changes that come late, and with preconditions of no state.
@Suite struct ChangeOrderConformance {
    private func withStore(_ kind: StoreKind, _ body: (any UserStateStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func write(
        _ level: AuthorizationLevel = .signedInUser,
        asOf effectiveTime: Int64? = nil,
        at now: Int64 = 1000,
        if precondition: UserStatePrecondition = .none
    ) throws -> UserStateWrite {
        UserStateWrite(
            id: try StoreFixture.id("alice"),
            level: try #require(LevelAssignment(level: level)),
            precondition: precondition,
            time: time(now),
            author: "test",
            asOf: effectiveTime.map(time)
        )
    }

    private func removal(asOf effectiveTime: Int64? = nil, at now: Int64 = 1000) throws -> UserStateRemoval {
        UserStateRemoval(
            id: try StoreFixture.id("alice"),
            time: time(now),
            author: "test",
            asOf: effectiveTime.map(time)
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a write that is older than the state changes nothing`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try await store.save(write(.premiumUser, asOf: 500))
            #expect(first.state.asOf == time(500) && first.state.updatedAt == time(1000))
            await #expect(throws: UserStateWriteError.superseded(by: first.state)) {
                try await store.save(write(asOf: 499, at: 2000))
            }
            await #expect(throws: UserStateWriteError.self) { try await store.remove(removal(asOf: 499)) }
            let alice = try StoreFixture.id("alice")
            let left = try #require(try await store.state(of: alice))
            #expect(left.access == first.state.access && left.version == 1 && left.updatedAt == time(1000))
            #expect(left.timestamps.level == time(500))
            #expect(try await store.access(of: alice)?.level?.level == .premiumUser)
            #expect(try await store.history(of: alice).map(\.asOf) == [time(500)])
            let second = try await store.save(write(asOf: 500, at: 2000))
            #expect(second.state.version == 2 && second.state.asOf == time(500))
            let history = try await store.history(of: alice)
            #expect(history.map(\.at) == [time(1000), time(2000)])
            #expect(history.map(\.asOf) == [time(500), time(500)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an identical write moves the moment alone`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try StoreFixture.id("alice")
            let first = try await store.save(write(asOf: 500))
            let second = try await store.save(write(asOf: 800, at: 2000))
            #expect(second.state.version == 1 && second.state.updatedAt == first.state.updatedAt)
            #expect(second.state.asOf == time(800))
            #expect(try await store.state(of: alice) == second.state)
            #expect(try await store.history(of: alice).count == 1)
            await #expect(throws: UserStateWriteError.superseded(by: second.state)) {
                try await store.save(write(.premiumUser, asOf: 700))
            }
            // Without a moment of its own it counts as now.
            _ = try await store.save(write(at: 3000))
            await #expect(throws: UserStateWriteError.self) { try await store.save(write(.premiumUser, asOf: 2999)) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a change without a moment counts as now, and is never late`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try StoreFixture.id("alice")
            _ = try await store.save(write(at: 1000))
            #expect(try await store.history(of: alice).map(\.asOf) == [nil])
            _ = try await store.save(write(.premiumUser, asOf: 5000, at: 2000))
            let third = try await store.save(write(.onboardingCompleted, at: 3000))
            #expect(third.state.version == 3 && third.state.asOf == time(5000))
            #expect(try await store.history(of: alice).map(\.asOf) == [nil, time(5000), time(5000)])
            #expect(try await store.remove(removal(at: 4000)))
            await #expect(throws: UserStateWriteError.superseded(by: nil)) {
                try await store.save(write(asOf: 4999, at: 6000))
            }
            #expect(try await store.state(of: alice) == nil)
            #expect(try await store.save(write(asOf: 5000, at: 6000)).state.version == 5)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a write that wants no state is made once`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try await store.save(write(if: .absent))
            #expect(first.isNew)
            await #expect(throws: UserStateWriteError.versionMismatch(current: 1)) {
                try await store.save(write(.premiumUser, if: .absent))
            }
            await #expect(throws: UserStateWriteError.versionMismatch(current: 1)) {
                try await store.save(write(.premiumUser, if: .otherVersion([1, 2])))
            }
            #expect(try await store.save(write(.premiumUser, if: .otherVersion([2]))).state.version == 2)
            #expect(try await store.remove(removal()))
            #expect(try await store.save(write(if: .absent)).state.version == 4)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a slice is written in order, each write by itself`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let alice = try StoreFixture.id("alice")
            let outcomes = try await store.saveEach([
                write(asOf: 500), write(.premiumUser, if: .absent), write(.premiumUser, asOf: 400),
                write(.onboardingCompleted, if: .exists),
            ])
            #expect(outcomes.map { try? $0.get().state.version } == [1, nil, nil, 2])
            #expect(outcomes[1] == .failure(.versionMismatch(current: 1)))
            #expect(try await store.state(of: alice)?.level.level == .onboardingCompleted)
            #expect(try await store.access(of: alice)?.level?.level == .onboardingCompleted)
            #expect(try await store.history(of: alice).map(\.level?.level) == [.signedInUser, .onboardingCompleted])
        }
    }
}
