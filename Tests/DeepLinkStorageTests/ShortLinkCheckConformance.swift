import DeepLinkPostgres
import DeepLinkStorage
import Testing

/// Tests of how every store keeps the results of checking short links.
@Suite struct ShortLinkCheckConformance {
    private typealias Fixture = ShortLinkFixture

    @Test(arguments: StoreKind.allCases)
    func `the last result of each shape is kept`(_ kind: StoreKind) async throws {
        try await ShortLinkStores.with(kind) { stores in
            let store = stores.checks
            let (one, other) = (Fixture.target(route: "one"), Fixture.target(route: "other\n"))
            for (code, target) in [("one", one), ("other", other)] {
                _ = try await stores.links.save(Fixture.write(code, ShortLinkContents(target: target)))
            }
            #expect(try await store.shortLinkChecks() == [])
            let first = ShortLinkCheckResult(shape: one.shape, grounds: .min, brokenCount: 7)
            try await store.keep(first)
            #expect(try await store.shortLinkChecks() == [first])
            let next = ShortLinkCheckResult(shape: one.shape, grounds: .max, brokenCount: 0)
            let beside = ShortLinkCheckResult(shape: other.shape, grounds: 0, brokenCount: .max)
            for check in [next, beside] { try await store.keep(check) }
            #expect(try await Set(store.shortLinkChecks()) == [next, beside])
            // Links are as they were.
            #expect(try await stores.find("one")?.version == 1)
        }
    }

    @Test(PostgresFixture.isThere) func `of two replicas one has the turn, until it ends`() async throws {
        try await PostgresFixture.with { fixture in
            let (one, other) = (try await fixture.open(), try await fixture.open())
            let turn = try #require(try await one.takeCheckTurn(nil, for: .seconds(3600)))
            #expect(try await other.takeCheckTurn(nil, for: .seconds(3600)) == nil)
            #expect(try await one.takeCheckTurn(nil, for: .seconds(3600)) == nil)
            #expect(try await other.takeCheckTurn(turn + 1, for: .seconds(1)) == nil)
            // Prolonged, and at once over.
            let last = try #require(try await one.takeCheckTurn(turn, for: .seconds(-1)))
            let next = try #require(try await other.takeCheckTurn(nil, for: .seconds(3600)))
            #expect(next > last)
            #expect(try await one.takeCheckTurn(last, for: .seconds(3600)) == nil)
            for store in [one, other] { store.close() }
        }
    }
}
