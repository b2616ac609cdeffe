import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of what every store of user states must do with moments that were written while a clock was ahead.
@Suite struct SpoiledClockConformance {
    private static let day: Int64 = 86_400_000
    private static let minute: Int64 = 60_000

    /// The present, for tests.
    private static let now: Int64 = 1_000_000_000

    private func withStore(_ kind: StoreKind, _ body: (any UserStateStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func write(_ level: AuthorizationLevel, asOf effectiveTime: Int64? = nil, at time: Int64) throws
        -> UserStateWrite
    {
        UserStateWrite(
            id: try StoreFixture.id("alice"),
            level: try #require(LevelAssignment(level: level)),
            time: self.time(time),
            author: "test",
            asOf: effectiveTime.map(self.time)
        )
    }

    private func removal(asOf effectiveTime: Int64? = nil, at time: Int64, erases: Bool = false) throws
        -> UserStateRemoval
    {
        UserStateRemoval(
            id: try StoreFixture.id("alice"),
            time: self.time(time),
            author: "test",
            asOf: effectiveTime.map(self.time),
            isErasure: erases
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a dated revocation counts after a clock that was ahead`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.save(write(.premiumUser, at: Self.now + Self.day))
            // It happened some milliseconds before it arrives.
            let revoked = try await store.save(write(.none, asOf: Self.now - 20, at: Self.now))
            #expect(revoked.state.level.level == .none && revoked.state.asOf == time(Self.now - 20))
            #expect(try await store.access(of: StoreFixture.id("alice"))?.level?.level == LevelName.none)
            // From then on the order is that of the moments.
            await #expect(throws: UserStateWriteError.superseded(by: revoked.state)) {
                try await store.save(write(.premiumUser, asOf: Self.now - 21, at: Self.now + 1))
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an old event stays left out after a clock that was ahead`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try await store.save(write(.signedInUser, at: Self.now + Self.day))
            await #expect(throws: UserStateWriteError.superseded(by: first.state)) {
                try await store.save(write(.premiumUser, asOf: Self.now - 5 * Self.minute - 1, at: Self.now))
            }
            await #expect(throws: UserStateWriteError.self) {
                try await store.remove(removal(asOf: Self.now - 60 * Self.minute, at: Self.now))
            }
            #expect(try await store.remove(removal(asOf: Self.now - 5 * Self.minute, at: Self.now)))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a change without a moment brings a spoiled one back to the present`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.save(write(.premiumUser, at: Self.now + Self.day))
            let second = try await store.save(write(.premiumUser, at: Self.now))
            #expect(second.state.version == 1 && second.state.asOf == time(Self.now))
            _ = try await store.save(write(.signedInUser, at: Self.now + Self.day))
            #expect(try await store.remove(removal(at: Self.now + 10)))
            #expect(try await store.save(write(.none, asOf: Self.now + 10, at: Self.now + 20)).state.version == 4)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an erasure keeps no moment that a clock has spoiled`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.save(write(.premiumUser, at: Self.now + Self.day))
            #expect(try await store.remove(removal(at: Self.now, erases: true)))
            await #expect(throws: UserStateWriteError.superseded(by: nil)) {
                try await store.save(write(.premiumUser, asOf: Self.now - 1, at: Self.now + 10))
            }
            #expect(try await store.save(write(.none, asOf: Self.now, at: Self.now + 10)).isNew)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a moment within the five minutes that clocks may differ orders as it stands`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try await store.save(write(.premiumUser, at: Self.now + 5 * Self.minute))
            await #expect(throws: UserStateWriteError.superseded(by: first.state)) {
                try await store.save(write(.none, asOf: Self.now, at: Self.now))
            }
            let second = try await store.save(write(.none, at: Self.now))
            #expect(second.state.asOf == time(Self.now + 5 * Self.minute))
        }
    }

    @Test func `what is left out, and what a clock has spoiled, is in the log`() async throws {
        try await StoreFixture.with { fixture in
            let lines = LogLines()
            let store = try SQLiteStore(path: fixture.path, logger: lines.logger)
            _ = try await store.save(write(.premiumUser, at: Self.now + Self.day))
            lines.clear()
            _ = try? await store.save(write(.none, asOf: Self.now - Self.day, at: Self.now))
            #expect(lines.text.contains("warning A stored moment is too far ahead of the clock"))
            #expect(lines.text.contains("notice A dated change was left out"))
            #expect(!lines.text.contains("alice"))
            try store.close()
        }
    }
}
