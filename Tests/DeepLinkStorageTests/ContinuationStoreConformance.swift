import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of what every store of continuations must do; each test runs against each of them.
@Suite struct ContinuationStoreConformance {
    private func withStore(_ kind: StoreKind, _ body: (any ContinuationStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func user(_ name: String) throws -> UserID { try #require(UserID(name)) }

    @Test(arguments: StoreKind.allCases)
    func `the first user binds a continuation`(_ kind: StoreKind) async throws {
        let (ada, bob) = (try user("ada"), try user("bob"))
        try await withStore(kind) { store in
            let id = ContinuationID.random()
            let first = try await store.bind(id, to: ada, until: time(10), at: time(1))
            let second = try await store.bind(id, to: ada, until: time(10), at: time(2))
            let other = try await store.bind(id, to: bob, until: time(10), at: time(3))
            let another = try await store.bind(ContinuationID.random(), to: bob, until: time(10), at: time(3))
            #expect([first, second, other, another] == [.open, .open, .otherUser, .open])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a continuation is spent once`(_ kind: StoreKind) async throws {
        let (ada, bob) = (try user("ada"), try user("bob"))
        try await withStore(kind) { store in
            let id = ContinuationID.random()
            #expect(try await store.spend(id) == false)
            _ = try await store.bind(id, to: ada, until: time(10), at: time(1))
            let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<64 { group.addTask { try await store.spend(id) } }
                var count = 0
                for try await isGranted in group where isGranted { count += 1 }
                return count
            }
            #expect(granted == 1)
            #expect(try await store.bind(id, to: ada, until: time(10), at: time(2)) == .granted)
            #expect(try await store.bind(id, to: bob, until: time(10), at: time(2)) == .spent)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a clock that goes back grants nothing again`(_ kind: StoreKind) async throws {
        let (ada, bob) = (try user("ada"), try user("bob"))
        try await withStore(kind) { store in
            let id = ContinuationID.random()
            let first = try await store.bind(id, to: ada, until: time(10), at: time(1))
            let isSpent = try await store.spend(id)
            // The clock goes past its end, another is redeemed, and the clock goes back.
            let other = try await store.bind(ContinuationID.random(), to: bob, until: time(100), at: time(50))
            let again = try await store.bind(id, to: ada, until: time(10), at: time(2))
            let older = try await store.bind(ContinuationID.random(), to: ada, until: time(9), at: time(2))
            // One that ends later was never forgotten.
            let later = try await store.bind(ContinuationID.random(), to: ada, until: time(11), at: time(2))
            #expect([first, other, again, older, later] == [.open, .open, .expired, .expired, .open])
            let isSpentAgain = try await store.spend(id)
            #expect(isSpent && !isSpentAgain)
        }
    }

    @Test func `what has expired is forgotten, what has not survives`() async throws {
        let ada = try user("ada")
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            let (old, new) = (ContinuationID.random(), ContinuationID.random())
            var store = try SQLiteStore(path: path)
            _ = try await store.bind(old, to: ada, until: time(10), at: time(1))
            _ = try await store.bind(new, to: ada, until: time(20), at: time(1))
            #expect(try await store.spend(new))
            try store.close()
            store = try SQLiteStore(path: path)
            #expect(try await store.bind(new, to: ada, until: time(20), at: time(11)) == .granted)
            #expect(try await store.spend(old) == false)
            try store.close()
        }
    }
}
