import DeepLinkCore
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite
@testable import DeepLinkStorage

/// Tests of the names that every store gives users in the audit log.
@Suite struct AuditNameConformance {
    private struct Stores {
        let users: any UserStateStore
        let links: any ShortLinkStore
        let names: any AuditNameStore
    }

    private func withStores(_ kind: StoreKind, _ body: (Stores) async throws -> Void) async throws {
        let memory = InMemoryUserStateStore()
        try await kind.with(
            memory: { Stores(users: memory, links: memory, names: memory) },
            stored: { Stores(users: $0, links: $0, names: $0) },
            body
        )
    }

    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func write(
        _ name: String,
        _ level: AuthorizationLevel = .signedInUser,
        at now: Int64 = 1,
        asOf: Int64? = nil,
        isAudited: Bool = true
    ) throws -> UserStateWrite {
        UserStateWrite(
            id: try StoreFixture.id(name),
            level: try #require(LevelAssignment(level: level)),
            time: Self.time(now),
            author: "test",
            asOf: asOf.map(Self.time),
            isAudited: isAudited
        )
    }

    private func removal(_ name: String, isErasure: Bool = false, isAudited: Bool = true) throws -> UserStateRemoval {
        UserStateRemoval(
            id: try StoreFixture.id(name),
            time: Self.time(1000),
            author: "test",
            isErasure: isErasure,
            isAudited: isAudited
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `an audited change has before and after, under one name`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            let alice = try StoreFixture.id("alice")
            let first = try #require(try await stores.users.save(write("alice")).audited)
            #expect(first.before == nil && first.after?.level?.level == LevelAssignment(level: .signedInUser)?.level)
            let second = try #require(try await stores.users.save(write("alice", .premiumUser, at: 2)).audited)
            #expect(second.user == first.user && second.before == first.after && second.after != first.after)
            let grant = GrantWrite(
                id: alice,
                name: try #require(GrantName("pro")),
                change: .hold(until: nil),
                time: Self.time(3),
                author: "test",
                isAudited: true
            )
            let third = try #require(try await stores.users.save(grant).audited)
            #expect(third.user == first.user && third.before == second.after)
            #expect(third.after?.grants.map(\.name.text) == ["pro"])
            let last = try #require(try await stores.users.apply(removal("alice")).audited)
            #expect(last == AuditedChange(user: first.user, before: third.after, after: nil))
            #expect(try await stores.names.auditName(of: alice) == first.user)
            #expect(try await stores.names.users(named: [first.user, AuditName()]) == [first.user: alice])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `where nothing changes, or nobody audits, there is no name`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            let alice = try StoreFixture.id("alice")
            #expect(try await stores.users.save(write("alice", at: 5, isAudited: false)).audited == nil)
            #expect(try await stores.users.save(write("alice", at: 6)).audited == nil)
            await #expect(throws: UserStateWriteError.self) {
                try await stores.users.save(write("alice", .premiumUser, at: 7, asOf: 1))
            }
            #expect(try await !stores.users.apply(removal("bob")).wasThere)
            for id in [alice, try StoreFixture.id("bob")] { #expect(try await stores.names.auditName(of: id) == nil) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `several changes at once have a name for each user`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            let writes = try [
                write("alice"), write("bob"), write("alice", .premiumUser, at: 2), write("carl", isAudited: false),
            ]
            let audited = try await stores.users.saveEach(writes).map { try $0.get().audited }
            #expect(audited[0]?.user == audited[2]?.user && audited[0]?.after == audited[2]?.before)
            #expect(audited[1] != nil && audited[1]?.user != audited[0]?.user && audited[3] == nil)
            let found = try await stores.names.users(named: audited.compactMap { $0?.user })
            #expect(Set(found.values.map(\.text)) == ["alice", "bob"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an erasure tells the name a last time, and nothing leads from it to anybody`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            let alice = try StoreFixture.id("alice")
            let name = try #require(try await stores.users.save(write("alice")).audited?.user)
            let erased = try await stores.users.apply(removal("alice", isErasure: true))
            #expect(erased.wasThere && erased.audited?.user == name && erased.audited?.after == nil)
            #expect(try await stores.names.auditName(of: alice) == nil)
            #expect(try await stores.names.users(named: [name]).isEmpty)
            // A user who comes back is somebody else.
            let next = try #require(try await stores.users.save(write("alice", at: 2000)).audited?.user)
            #expect(next != name)
            #expect(try await stores.users.apply(removal("alice", isErasure: true, isAudited: false)).audited == nil)
            #expect(try await stores.names.users(named: [next]).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a short link names the users whom it is about, and was`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            let (alice, bob) = (try StoreFixture.id("alice"), try StoreFixture.id("bob"))
            func save(_ code: String, about user: UserID?, isAudited: Bool = true) async throws -> ShortLinkWriteResult
            {
                let contents = ShortLinkContents(target: ShortLinkFixture.target(), about: user)
                var write = try ShortLinkFixture.write(code, contents)
                write.terms.isAudited = isAudited
                return try await stores.links.save(write)
            }
            let made = try await save("sale", about: alice)
            let name = try #require(made.auditNames[alice])
            #expect(made.auditNames.count == 1 && made.former == nil)
            #expect(try await save("sale", about: alice).auditNames.isEmpty)
            let moved = try await save("sale", about: bob)
            #expect(moved.auditNames.count == 2 && moved.auditNames[alice] == name && moved.former == made.link)
            #expect(try await save("sale", about: nil).auditNames == moved.auditNames.filter { $0.key == bob })
            let withdrawal = ShortLinkRemoval(
                code: try ShortLinkFixture.code("sale"),
                time: Self.time(3000),
                author: "test",
                isAudited: true
            )
            let withdrawn = try #require(try await stores.links.withdraw(withdrawal))
            #expect(withdrawn.auditNames.isEmpty && withdrawn.former?.contents.isWithdrawn == false)
            // Nobody is named by what isn't audited, or is refused.
            let carol = try StoreFixture.id("carol")
            #expect(try await save("other", about: carol, isAudited: false).auditNames.isEmpty)
            await #expect(throws: ShortLinkWriteError.self) { try await save("SALE", about: carol) }
            #expect(try await stores.names.auditName(of: carol) == nil)
            // A link about a user, and nothing else, is something to erase.
            #expect(try await save("third", about: alice).auditNames == [alice: name])
            let erased = try await stores.users.apply(removal("alice", isErasure: true))
            #expect(erased.wasThere && erased.audited?.user == name)
            #expect(try await stores.names.users(named: [name]).isEmpty)
        }
    }

    @Test func `a name that was changed is damage`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            let name = try #require(try await store.save(write("alice")).audited?.user)
            try await store.pool.write { try $0.execute(sql: "UPDATE audit_name SET user_id = 'bob'") }
            #expect(throws: (any Error).self) { try store.users(named: [name]) }
            try store.close()
        }
    }

    @Test func `names are random, and read as they are written`() throws {
        let names = (0..<1000).map { _ in AuditName() }
        #expect(Set(names).count == names.count)
        for name in names { #expect(AuditName(name.text) == name) }
        for text in ["", "u-", "alice", String(repeating: "u-", count: 13), names[0].text + "0"] {
            #expect(AuditName(text) == nil)
        }
    }
}
