import DeepLinkCore
import DeepLinkPostgres
import DeepLinkSQLite
import DeepLinkStorage
import Synchronization
import Testing
import WaymarkTestSupport

/// Tests of the move of a SQLite file into PostgreSQL.
@Suite(PostgresFixture.isThere) struct PostgresCopyTests {
    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private static let levels = ["none", "customer"].compactMap(LevelName.init)
    private static let grants = ["pro", "kyc"].compactMap(GrantName.init)
    private static let renames = [LevelRename(levels[0], to: levels[1]), LevelRename(levels[1], to: levels[0])]

    private struct Filled {
        let store: SQLiteStore
        let token: ServiceToken
        let spent: ContinuationID
        let request: KeyedRequest
    }

    /// Fills a file with something of everything.
    private func with(_ body: (Filled) async throws -> Void) async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.serving()
            for number in 0..<2100 {
                _ = try await store.save(StoreFixture.write("user \(number)", until: Int64(number)))
            }
            for name in ["user 1", "user 2", "user 3"] {
                _ = try await store.save(StoreFixture.write(name, .premiumUser))
            }
            _ = try await store.remove(
                UserStateRemoval(id: StoreFixture.id("user 2"), time: Self.time(5), author: "test", asOf: Self.time(6))
            )
            _ = try await store.remove(
                UserStateRemoval(id: StoreFixture.id("nobody"), time: Self.time(5), author: "test", asOf: Self.time(6))
            )
            let erasure = UserStateRemoval(
                id: try StoreFixture.id("user 3"),
                time: Self.time(7),
                author: "t",
                isErasure: true
            )
            _ = try await store.remove(erasure)
            _ = try await store.save(StoreFixture.write("user 1", .premiumUser, isAudited: true))
            let id = try #require(ServiceTokenID("abcdefghijkl"))
            let digest = [UInt8](repeating: 3, count: 32)
            let token = ServiceToken(
                id: id,
                digest: digest,
                role: .admin,
                note: "é\\\"",
                created: Self.time(1),
                revoked: Self.time(9),
                lastUsed: CountedDay(number: 20_000)
            )
            try await store.add(token)
            try await store.keepLevels(LevelLadder(Self.levels))
            try await store.keepGrants(Self.grants)
            for rename in Self.renames { try await store.keepLevelRename(rename) }
            let spent = ContinuationID.random()
            _ = try await store.bind(spent, to: StoreFixture.id("user 1"), until: Self.time(99), at: Self.time(1))
            _ = try await store.spend(spent)
            let request = KeyedRequest(
                caller: "a",
                method: "POST",
                path: "/v1/users/é",
                key: "k",
                digest: digest,
                user: try StoreFixture.id("user 1"),
                time: Self.time(1)
            )
            _ = try await store.keep(
                StoredResponse(digest: digest, status: 201, tag: "\"1\"", body: [0, 1, 255]),
                to: request
            )
            let day = CountHeading.day(CountedDay(number: 20_000), route: "é", label: "a|b")
            try await store.add(
                CountSlice([
                    CountAddition(to: day, outcome: "opened", count: 7),
                    CountAddition(to: day, outcome: "gated:pro", count: 2),
                    CountAddition(to: .code("Summer"), outcome: "page", count: 3),
                ])
            )
            try await body(Filled(store: store, token: token, spent: spent, request: request))
            try store.close()
        }
    }

    @Test func `everything is there, with versions, histories and keys, and once`() async throws {
        try await with { filled in
            try await PostgresFixture.with { fixture in
                let (source, key) = (filled.store, [UInt8](repeating: 9, count: 32))
                let metadata = try source.metadata()
                let contents: DatabaseCopy.Contents = { body in try source.visitContents(body) }
                let counts = try await DatabaseCopy.run(
                    to: try fixture.location,
                    metadata: metadata,
                    continuationKey: key,
                    contents: contents
                )
                #expect(counts[.state] == 2098 && counts[.change] == 2102 && counts[.token] == 1)
                #expect(counts[.redemption] == 1 && counts[.answer] == 1 && counts[.erased] == 1)
                #expect(counts[.count] == 3 && counts[.timestamps] == 1)
                let copy = try await fixture.open()
                #expect(try await copy.keptLevels()?.names == Self.levels)
                #expect(try await copy.keptGrants() == Self.grants)
                #expect(Set(try await copy.levelRenames()) == Set(Self.renames))
                #expect(try await copy.states(after: nil, limit: 5000) == source.states(after: nil, limit: 5000))
                for name in ["user 1", "user 2", "user 3"] {
                    #expect(
                        try await copy.history(of: StoreFixture.id(name)) == source.changes(of: StoreFixture.id(name))
                    )
                }
                #expect(try await copy.serviceTokens() == [filled.token])
                #expect(try await copy.continuationKeys() == [key])
                let day = CountedDay(number: 20_000)
                let days = CountQuery(.days(day...day, by: [.route, .label]), limit: 10)
                let copiedDays = try await copy.counts(days)
                #expect(copiedDays.map(\.heading) == [["é", "a|b"]])
                #expect(copiedDays.map { $0.counts[.opened] } == [7] && copiedDays.map(\.counts.gated) == [["pro": 2]])
                #expect(try await copy.counts(CountQuery(.codes, limit: 10)).map { $0.counts[.page] } == [3])
                #expect(try await copy.answer(to: filled.request) == source.answer(to: filled.request))
                let other = try StoreFixture.id("user 4")
                #expect(try await copy.bind(filled.spent, to: other, until: Self.time(99), at: Self.time(2)) == .spent)
                // Versions go on, also of those who are gone.
                #expect(try await copy.save(StoreFixture.write("user 2")).state.version == 4)
                #expect(try await copy.save(StoreFixture.write("user 3")).state.version == 3)
                copy.close()
                await #expect(throws: DatabaseCopy.Failure.self) {
                    try await DatabaseCopy.run(
                        to: try fixture.location,
                        metadata: metadata,
                        continuationKey: key,
                        contents: contents
                    )
                }
            }
        }
    }

    @Test func `a row that is not the same leaves nothing behind`() async throws {
        try await with { filled in
            try await PostgresFixture.with { fixture in
                let source = filled.store
                let calls = Atomic(0)
                let contents: DatabaseCopy.Contents = { body in
                    let isSecond = calls.add(1, ordering: .relaxed).newValue == 2
                    try source.visitContents { rows in
                        guard isSecond, case .state(let state) = rows[0] else { return try body(rows) }
                        let other = UserState(
                            id: state.id,
                            level: state.level,
                            version: state.version + 1,
                            updatedAt: state.updatedAt
                        )
                        try body([.state(other)] + rows.dropFirst())
                    }
                }
                await #expect(throws: DatabaseCopy.Failure.self) {
                    try await DatabaseCopy.run(
                        to: try fixture.location,
                        metadata: source.metadata(),
                        continuationKey: nil,
                        contents: contents
                    )
                }
                let left = try await fixture.number(
                    "SELECT (SELECT count(*) FROM user_state) + (SELECT count(*) FROM user_history)"
                )
                #expect(left == 0)
            }
        }
    }
}
