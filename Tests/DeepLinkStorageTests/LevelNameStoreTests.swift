import DeepLinkCore
import DeepLinkPostgres
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of the names of levels in stores: those that are kept, and those that change.
@Suite struct LevelNameStoreTests {
    private static let ladder = LevelLadder(["guest", "member", "verified"].compactMap(LevelName.init))
    private static let end = Timestamp(millisecondsSinceEpoch: 1000)

    /// Runs a body with two stores of one file, of which one is a server's, and with two replicas of a database.
    private func withStores(_ body: (any OpenStore, any OpenStore) async throws -> Void) async throws {
        try await StoreFixture.with { fixture in
            let (one, other) = (try fixture.serving(), try fixture.offline())
            try await body(one, other)
            try other.close()
            try one.close()
        }
        guard PostgresFixture.server != nil else { return }
        try await PostgresFixture.with { fixture in
            let (one, other) = (try await fixture.open(), try await fixture.open())
            try await body(one, other)
            other.close()
            one.close()
        }
    }

    private func save(_ name: String, _ rank: UInt8, until end: Timestamp?, in store: any OpenStore) async throws {
        let grant = try #require(Self.ladder.heldLevel(of: AuthorizationLevel(rank: rank), validUntil: end))
        let time = Timestamp(millisecondsSinceEpoch: 5)
        let write = UserStateWrite(id: try StoreFixture.id(name), level: grant, time: time, author: "test")
        _ = try await store.save(write)
    }

    @Test(PostgresFixture.isThere)
    func `names of levels are read again once a look has counted more of them`() async throws {
        try await PostgresFixture.with { fixture in
            let (one, other) = (try await fixture.open(), try await fixture.open())
            let names = try ["member", "customer", "client"].map { try #require(LevelName($0)) }
            let renames = [LevelRename(names[0], to: names[1]), LevelRename(names[1], to: names[2])]
            #expect(try await other.levelRenames() == [])
            for count in 1...2 {
                try await one.keepLevelRename(renames[count - 1])
                // Until a look, nothing is asked.
                #expect(try await other.levelRenames().count == count - 1)
                try await other.look()
                #expect(Set(try await other.levelRenames()) == Set(renames.prefix(count)))
            }
            other.close()
            one.close()
        }
    }

    @Test func `the levels of the last catalog are kept for commands`() async throws {
        try await withStores { server, command in
            #expect(try await command.keptLevels() == nil)
            try await server.keepLevels(Self.ladder)
            #expect(try await command.keptLevels()?.names == Self.ladder.names)
            try await server.keepLevels(LevelLadder(Array(Self.ladder.names.prefix(2))))
            #expect(try await command.keptLevels()?.names.map(\.text) == ["guest", "member"])
        }
    }

    @Test func `a level is renamed in states and histories beside a running server, and no version changes`()
        async throws
    {
        try await withStores { server, command in
            try await server.keepLevels(Self.ladder)
            for number in 0..<10 {
                try await save("user-\(number)", UInt8(number % 3), until: number < 5 ? Self.end : nil, in: server)
            }
            let (old, new) = (Self.ladder.names[1], try #require(LevelName("customer")))
            let before = try await server.states(after: nil, limit: 100)
            let renaming = try await command.renameLevel(old, to: new, pausing: .zero)
            // Three are members, and two fall to that level at their end.
            #expect(renaming.userCount == 4 && renaming.changeCount == 4)
            let expected = before.map { state in state.level.renamed { $0 == old ? new : $0 } }
            let after = try await server.states(after: nil, limit: 100)
            #expect(after.map(\.level) == expected)
            #expect(after.map(\.version) == before.map(\.version) && after.map(\.asOf) == before.map(\.asOf))
            for state in after {
                #expect(try await command.history(of: state.id, after: 0, limit: 9).map(\.level) == [state.level])
            }
            #expect(try await command.keptLevels()?.names.map(\.text) == ["guest", "customer", "verified"])
            #expect(try await command.renameLevel(old, to: new, pausing: .zero) == LevelRenaming())
            // A server that remembers the former name reads the new one once it forgets.
            server.forgetLevels()
            #expect(try await server.access(of: StoreFixture.id("user-1")) == after[1].access)
        }
    }

    @Test func `a replica whose catalog has the former name alone admits whom it admitted, and nobody else`()
        async throws
    {
        let (old, new) = (Self.ladder.names[1], try #require(LevelName("customer")))
        let renamed = LevelLadder(
            [Self.ladder.names[0], new, Self.ladder.names[2]],
            formerNames: [(old, AuthorizationLevel(rank: 1))]
        )
        try await withStores { one, other in
            for number in 0..<6 {
                try await save("user-\(number)", UInt8(number % 3), until: number < 3 ? Self.end : nil, in: one)
            }
            // A name that no renaming gave is unknown.
            let stranger = UserStateWrite(
                id: try StoreFixture.id("stranger"),
                level: LevelAssignment(of: try #require(LevelName("patron")), validUntil: nil, levelAfter: nil),
                time: Self.end,
                author: "test"
            )
            _ = try await one.save(stranger)
            let time = Timestamp(millisecondsSinceEpoch: 2000)
            func levels(_ store: any OpenStore, _ ladder: LevelLadder) async throws -> [AuthorizationLevel] {
                store.forgetLevels()
                return try await store.states(after: nil, limit: 100).map { $0.level(at: time, in: ladder) }
            }
            let before = try await levels(one, Self.ladder)
            try await one.keepLevelRename(LevelRename(old, to: new))
            try await one.keepLevelRename(LevelRename(old, to: new))
            #expect(try await other.levelRenames() == [LevelRename(old, to: new)])
            // Between the notice and the end of the renaming, and after it.
            #expect(try await levels(other, Self.ladder.reading(other.levelRenames())) == before)
            _ = try await one.renameLevel(old, to: new, pausing: .zero)
            #expect(try await levels(other, Self.ladder.reading(other.levelRenames())) == before)
            #expect(try await levels(one, renamed) == before)
            // Without the notice, members would be guests.
            #expect(try await levels(other, Self.ladder) != before)
            #expect(before[0] == .lowest)
        }
    }

    @Test func `users of a level that a ladder lacks are counted`() async throws {
        try await withStores { server, _ in
            for number in 0..<9 { try await save("user-\(number)", UInt8(number % 3), until: nil, in: server) }
            let counts = try await server.accessCounts(at: Self.end)
            #expect(counts.levels(in: Self.ladder).total == 9)
            let shorter = LevelLadder(Array(Self.ladder.names.prefix(2)))
            #expect(counts.unknown(in: shorter).map(\.name.text) == ["verified"])
            #expect(counts.unknown(in: shorter).map(\.count) == [3])
            // They count as the lowest, and those of the others stay.
            #expect(counts.levels(in: shorter)[.lowest] == 6)
            #expect(counts.levels(in: shorter)[AuthorizationLevel(rank: 1)] == 3)
        }
    }
}
