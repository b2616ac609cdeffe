import DeepLinkCore
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of the names of grants that a database keeps for commands.
@Suite struct GrantNameStoreTests {
    @Test(arguments: StoreKind.allCases.filter { $0 != .memory })
    func `the names of grants are kept, and replaced`(_ kind: StoreKind) async throws {
        let memory: () -> (any LevelNameStore)? = { nil }
        let stored: (any OpenStore) -> (any LevelNameStore)? = { $0 }
        try await kind.with(memory: memory, stored: stored) { store in
            let store = try #require(store)
            let (kyc, pro) = (try #require(GrantName("kyc")), try #require(GrantName("pro")))
            #expect(try await store.keptGrants() == [])
            try await store.keepGrants([pro, kyc])
            #expect(try await store.keptGrants() == [pro, kyc])
            try await store.keepGrants([kyc])
            #expect(try await store.keptGrants() == [kyc])
            try await store.keepGrants([])
            #expect(try await store.keptGrants() == [])
        }
    }
}
