import DeepLinkCore
import DeepLinkStorage
import Foundation
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of how every store forgets a person.
@Suite struct ErasureConformance {
    private struct Stores {
        let users: any UserStateStore
        let continuations: any ContinuationStore
    }

    private func withStores(_ kind: StoreKind, _ body: (Stores) async throws -> Void) async throws {
        let memory = InMemoryUserStateStore()
        try await kind.with(
            memory: { Stores(users: memory, continuations: memory) },
            stored: { Stores(users: $0, continuations: $0) },
            body
        )
    }

    private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func erasure(
        _ name: String = "alice",
        if precondition: UserStatePrecondition = .none,
        at now: Int64 = 1000
    ) throws -> UserStateRemoval {
        UserStateRemoval(
            id: try StoreFixture.id(name),
            precondition: precondition,
            time: Self.time(now),
            author: "test",
            isErasure: true
        )
    }

    private func request(_ name: String) throws -> KeyedRequest {
        KeyedRequest(
            caller: "user \(name)",
            method: "POST",
            path: "/v1/continuations",
            key: "k",
            digest: [UInt8](repeating: 1, count: KeyedRequest.digestByteCount),
            user: try StoreFixture.id(name),
            time: Self.time(1)
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `an erasure forgets state, history and answers, of one user`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            for name in ["alice", "bob"] {
                for level in [AuthorizationLevel.signedInUser, .premiumUser] {
                    _ = try await stores.users.save(StoreFixture.write(name, level))
                }
                let request = try request(name)
                let answer = StoredResponse(digest: request.digest, status: 200, tag: nil, body: [1])
                _ = try await stores.users.keep(answer, to: request)
            }
            #expect(try await stores.users.remove(erasure()))
            let (alice, bob) = (try StoreFixture.id("alice"), try StoreFixture.id("bob"))
            #expect(try await stores.users.state(of: alice) == nil)
            #expect(try await stores.users.access(of: alice) == nil)
            #expect(try await stores.users.history(of: alice).isEmpty)
            #expect(try await stores.users.answer(to: request("alice")) == nil)
            #expect(try await stores.users.states(after: nil, limit: 10).map(\.id) == [bob])
            #expect(try await stores.users.history(of: bob).count == 2)
            #expect(try await stores.users.answer(to: request("bob")) != nil)
            #expect(try await !stores.users.remove(erasure()))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `versions go on after an erasure, however often, and what is older stays away`(_ kind: StoreKind) async throws
    {
        try await withStores(kind) { stores in
            let store = stores.users
            var versions: [Int] = []
            for round in 0..<3 {
                let now = Int64(round) * 1000
                for level in [AuthorizationLevel.signedInUser, .premiumUser] {
                    let write = UserStateWrite(
                        id: try StoreFixture.id("alice"),
                        level: try #require(LevelAssignment(level: level)),
                        time: Self.time(now + 1),
                        author: "test"
                    )
                    versions.append(try await store.save(write).state.version)
                }
                #expect(try await store.remove(erasure(at: now + 500)))
                let late = UserStateWrite(
                    id: try StoreFixture.id("alice"),
                    level: try #require(LevelAssignment(level: .premiumUser)),
                    time: Self.time(now + 600),
                    author: "test",
                    asOf: Self.time(now + 499)
                )
                await #expect(throws: UserStateWriteError.superseded(by: nil)) { try await store.save(late) }
            }
            #expect(versions == Array(1...6))
            // Of a user who was deleted, the history is forgotten.
            _ = try await store.save(StoreFixture.write("carl"))
            let deletion = UserStateRemoval(id: try StoreFixture.id("carl"), time: Self.time(5), author: "test")
            #expect(try await store.remove(deletion))
            #expect(try await store.remove(erasure("carl")))
            #expect(try await store.history(of: StoreFixture.id("carl")).isEmpty)
            #expect(try await store.save(StoreFixture.write("carl")).state.version == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a precondition that does not hold forgets nothing`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            _ = try await stores.users.save(StoreFixture.write("alice"))
            await #expect(throws: UserStateWriteError.versionMismatch(current: 1)) {
                try await stores.users.remove(erasure(if: .version([2])))
            }
            #expect(try await stores.users.history(of: StoreFixture.id("alice")).count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what a person bound stays bound, to nobody`(_ kind: StoreKind) async throws {
        try await withStores(kind) { stores in
            let (alice, bob) = (try StoreFixture.id("alice"), try StoreFixture.id("bob"))
            let (id, end) = (ContinuationID.random(), Self.time(60_000))
            #expect(try await stores.continuations.bind(id, to: alice, until: end, at: Self.time(1)) == .open)
            _ = try await stores.users.save(StoreFixture.write("alice"))
            #expect(try await stores.users.remove(erasure()))
            for user in [alice, bob] {
                #expect(try await stores.continuations.bind(id, to: user, until: end, at: Self.time(2)) == .otherUser)
            }
        }
    }

    @Test func `no file has the id any more`() async throws {
        try await StoreFixture.with { fixture in
            let name = "unforgettable-\(UInt64.random(in: .min ... .max))@example.com"
            let store = try fixture.offline()
            for number in 0..<100 { _ = try await store.save(StoreFixture.write("user-\(number)")) }
            // It has a name in the audit log as well.
            _ = try await store.save(StoreFixture.write(name, isAudited: true))
            _ = try await store.bind(.random(), to: StoreFixture.id(name), until: Self.time(60_000), at: Self.time(1))
            let request = try request(name)
            let answer = StoredResponse(digest: request.digest, status: 200, tag: nil, body: Array(name.utf8))
            _ = try await store.keep(answer, to: request)
            let before = try bytes(beside: fixture.path)
            #expect(before.contains { $0.range(of: Data(name.utf8)) != nil })
            #expect(try await store.remove(erasure(name)))
            try store.close()
            for file in try bytes(beside: fixture.path) { #expect(file.range(of: Data(name.utf8)) == nil) }
        }
    }

    private func bytes(beside path: String) throws -> [Data] {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { try Data(contentsOf: $0) }
    }

    @Test func `a server sees that another process has erased, whatever else that did`() async throws {
        try await StoreFixture.with { fixture in
            let server = try fixture.remembering()
            _ = try await server.save(StoreFixture.write("alice", .premiumUser))
            let alice = try StoreFixture.id("alice")
            for _ in 0..<2 { #expect(try await server.access(of: alice)?.level?.level == .premiumUser) }
            let other = try fixture.offline()
            #expect(try await other.remove(erasure()))
            _ = try await other.save(StoreFixture.write("bob"))
            try other.close()
            try await server.pollExternalChanges()
            #expect(try await server.access(of: alice) == nil)
            try server.close()
        }
    }

    @Test func `what is left of a person is damage where it was changed`() async throws {
        try await StoreFixture.with { fixture in
            let store = try fixture.offline()
            _ = try await store.save(StoreFixture.write("alice"))
            #expect(try await store.remove(erasure()))
            let rows = try store.read { try Row.fetchAll($0, sql: "SELECT digest FROM erased_user") }
            #expect(rows.count == 1)
            try await store.pool.write { try $0.execute(sql: "UPDATE erased_user SET version = 7") }
            await #expect(throws: StoreOpenError.self) { try await store.save(StoreFixture.write("alice")) }
            try store.close()
        }
    }
}
