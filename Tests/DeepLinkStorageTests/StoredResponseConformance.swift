import DeepLinkCore
import DeepLinkStorage
import GRDB
import Testing
import WaymarkTestSupport

@testable import DeepLinkSQLite

/// Tests of what every store must do with answers to requests that may be sent again.
@Suite struct StoredResponseConformance {
    private func withStore(_ kind: StoreKind, _ body: (any UserStateStore) async throws -> Void) async throws {
        try await kind.with(memory: { InMemoryUserStateStore() }, stored: { $0 }, body)
    }

    private static let day: Int64 = 86_400_000

    private func request(
        _ key: String = "k",
        caller: String = "token a",
        method: String = "POST",
        path: String = "/v1/users/alice",
        at time: Int64 = 1000
    ) throws -> KeyedRequest {
        KeyedRequest(
            caller: caller,
            method: method,
            path: path,
            key: key,
            digest: [UInt8](repeating: 7, count: KeyedRequest.digestByteCount),
            user: try StoreFixture.id("alice"),
            time: Timestamp(millisecondsSinceEpoch: time)
        )
    }

    private func answer(_ text: String = "{}", to request: KeyedRequest) -> StoredResponse {
        StoredResponse(digest: request.digest, status: 201, tag: "\"1\"", body: Array(text.utf8))
    }

    private func write(_ level: AuthorizationLevel, storing request: KeyedRequest) throws -> UserStateWrite {
        UserStateWrite(
            id: try StoreFixture.id("alice"),
            level: try #require(LevelAssignment(level: level)),
            time: request.time,
            author: "test",
            storing: ResponseStoring(request) { saved in
                StoredResponse(
                    digest: request.digest,
                    status: 200,
                    tag: nil,
                    body: Array("\(saved.state.version)".utf8)
                )
            }
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `an answer is kept for a day, by caller, method, path and key`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try request()
            #expect(try await store.answer(to: first) == nil)
            #expect(try await store.keep(answer(to: first), to: first) == answer(to: first))
            #expect(try await store.keep(answer("{ }", to: first), to: first) == answer(to: first))
            #expect(try await store.answer(to: request(at: 1000 + Self.day)) == answer(to: first))
            #expect(try await store.answer(to: request(at: 1001 + Self.day)) == nil)
            for other in [
                try request("K"), try request(caller: "token b"), try request(method: "DELETE"),
                try request(path: "/v1/users/bob"),
            ] {
                #expect(try await store.answer(to: other) == nil)
            }
            let next = try request(at: 1001 + Self.day)
            #expect(try await store.keep(answer("[]", to: next), to: next) == answer("[]", to: next))
            #expect(try await store.answer(to: next) == answer("[]", to: next))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a write is kept with its answer, and not made again`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try request()
            #expect(try await store.save(write(.premiumUser, storing: first)).state.version == 1)
            let kept = try #require(try await store.answer(to: first))
            #expect(kept.body == Array("1".utf8) && kept.status == 200 && kept.tag == nil)
            await #expect(throws: UserStateWriteError.answered(kept)) {
                try await store.save(write(.signedInUser, storing: request(at: 2000)))
            }
            let alice = try StoreFixture.id("alice")
            #expect(try await store.history(of: alice).count == 1)
            let deletion = try request(method: "DELETE")
            func removal() -> UserStateRemoval {
                UserStateRemoval(
                    id: alice,
                    time: deletion.time,
                    author: "test",
                    storing: ResponseStoring(deletion) { _ in
                        StoredResponse(digest: deletion.digest, status: 204, tag: nil, body: [])
                    }
                )
            }
            #expect(try await store.remove(removal()))
            let gone = try #require(try await store.answer(to: deletion))
            #expect(gone.status == 204 && gone.body.isEmpty)
            await #expect(throws: UserStateWriteError.answered(gone)) { try await store.remove(removal()) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what is not changed has no answer`(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try request()
            let plain = try write(.premiumUser, storing: first)
            let refused = UserStateWrite(
                id: plain.id,
                level: plain.level,
                precondition: .exists,
                time: plain.terms.time,
                author: "test",
                storing: plain.storing
            )
            await #expect(throws: UserStateWriteError.versionMismatch(current: nil)) { try await store.save(refused) }
            #expect(try await store.answer(to: first) == nil)
        }
    }

    @Test func `answers survive a restart, and are bounded in number and time`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/states.sqlite"
            var store = try SQLiteStore(path: path, maximumAnswerCount: 10)
            for number in 0..<25 {
                let request = try request("\(number)")
                _ = try await store.keep(answer("\(number)", to: request), to: request)
            }
            try store.close()
            store = try SQLiteStore(path: path)
            let kept = try (0..<25).filter { try store.answer(to: request("\($0)")) != nil }
            #expect(kept == Array(15..<25))
            let late = try request("late", at: 1001 + Self.day)
            _ = try await store.keep(answer(to: late), to: late)
            let count = try store.read { database in try Int.fetchOne(database, sql: "SELECT count(*) FROM kept_answer")
            }
            #expect(count == 1)
            try store.close()
        }
    }
}
