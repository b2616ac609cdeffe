import DeepLinkCore
import DeepLinkSQLite
import DeepLinkStorage
import Testing
import WaymarkTestSupport

/// Tests of what every store of service tokens must do; each test runs against each of them.
@Suite struct ServiceTokenStoreConformance {
    private func withStore(_ kind: StoreKind, _ body: (any ServiceTokenStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryServiceTokenStore() }, stored: { $0 }, body)
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func token(_ role: Role, note: String = "", created: Int64, expires: Int64? = nil) -> ServiceToken {
        ServiceToken(
            id: ServiceTokenID.random(),
            digest: (0..<32).map { UInt8($0) },
            role: role,
            note: note,
            created: time(created),
            expires: expires.map(time)
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `tokens are read back as they were added, the oldest first`(_ kind: StoreKind) async throws {
        let (new, old) = (token(.admin, note: "ci \u{1F511}", created: 2), token(.resolver, created: 1, expires: 9))
        try await withStore(kind) { store in
            let empty = try await store.serviceTokens()
            try await store.add(new)
            try await store.add(old)
            let tokens = try await store.serviceTokens()
            #expect(empty.isEmpty)
            #expect(tokens == [old, new])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a granter keeps its grants, also once it is revoked`(_ kind: StoreKind) async throws {
        let granter = ServiceToken(
            id: ServiceTokenID.random(),
            digest: (0..<32).map { UInt8($0) },
            role: .granter,
            grants: ["pro", "kyc"].compactMap(GrantName.init),
            created: time(1)
        )
        try await withStore(kind) { store in
            try await store.add(granter)
            #expect(try await store.serviceTokens() == [granter])
            #expect(try await store.revoke(granter.id, at: time(5)))
            #expect(try await store.serviceTokens() == [granter.revoked(at: time(5))])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a token is revoked once, and stays`(_ kind: StoreKind) async throws {
        let token = token(.admin, created: 1)
        try await withStore(kind) { store in
            try await store.add(token)
            let answers = [
                try await store.revoke(token.id, at: time(5)), try await store.revoke(token.id, at: time(6)),
                try await store.revoke(ServiceTokenID.random(), at: time(7)),
            ]
            #expect(answers == [true, true, false])
            #expect(try await store.serviceTokens().map(\.revoked) == [time(5)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a token has the last day of its use, which never goes back`(_ kind: StoreKind) async throws {
        let (used, other) = (token(.admin, created: 1), token(.resolver, created: 2))
        try await withStore(kind) { store in
            for token in [used, other] { try await store.add(token) }
            #expect(try await store.serviceTokens().map(\.lastUsed) == [nil, nil])
            for day in [20_000, 20_002, 20_001] {
                try await store.noteUses([used.id: CountedDay(number: day), .random(): CountedDay(number: day)])
            }
            let noted = used.used(on: CountedDay(number: 20_002))
            #expect(try await store.serviceTokens() == [noted, other])
            #expect(try await store.revoke(used.id, at: time(5)))
            #expect(try await store.serviceTokens() == [noted.revoked(at: time(5)), other])
        }
    }

    @Test func `a token is usable up to its end, unless it is revoked`() {
        let ending = token(.admin, created: 1, expires: 9)
        #expect(ending.isUsable(at: time(9)))
        #expect(!ending.isUsable(at: time(10)))
        #expect(token(.admin, created: 1).isUsable(at: time(1 << 50)))
    }
}
