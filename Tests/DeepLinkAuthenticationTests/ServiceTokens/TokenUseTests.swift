import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import Synchronization
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

/// Tests of the last day on which a service token was used.
@Suite struct TokenUseTests {
    /// A store that counts what is written, and may be out of reach.
    private final class CountingStore: ServiceTokenStore {
        struct Away: Error {}

        let held: InMemoryServiceTokenStore
        let isAway = Mutex(false)
        let writes = Mutex<[[ServiceTokenID: CountedDay]]>([])

        init(_ tokens: [ServiceToken]) { held = InMemoryServiceTokenStore(tokens) }

        func serviceTokens() throws -> [ServiceToken] { try held.serviceTokens() }
        func add(_ token: ServiceToken) async throws { try await held.add(token) }
        func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
            try await held.revoke(id, at: time)
        }
        func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws {
            guard !isAway.withLock(\.self) else { throw Away() }
            writes.withLock { $0.append(days) }
            try await held.noteUses(days)
        }
    }

    private static let day: Int64 = 86_400_000

    private let text = ServiceTokenText()
    private let store: CountingStore

    init() {
        let token = ServiceToken(
            id: text.id,
            digest: Array(text.digest),
            role: .admin,
            created: Timestamp(millisecondsSinceEpoch: 0),
            expires: Timestamp(millisecondsSinceEpoch: 100 * Self.day)
        )
        store = CountingStore([token])
    }

    private func use(_ tokens: ServiceTokens, onDay day: Int64) -> Bool {
        tokens.token(text, at: Timestamp(millisecondsSinceEpoch: day * Self.day + 1)) != nil
    }

    private var written: [CountedDay?] { store.writes.withLock { $0.map { $0[text.id] } } }

    @Test func `a use is written once a day, however often the token is used`() async throws {
        let tokens = try await ServiceTokens(store)
        for day in [Int64(5), 6] {
            for _ in 0..<3 {
                for _ in 0..<100 { #expect(use(tokens, onDay: day)) }
                try await tokens.writeUses()
            }
            try await tokens.refresh()
            #expect(use(tokens, onDay: day))
            try await tokens.writeUses()
        }
        #expect(written == [CountedDay(number: 5), CountedDay(number: 6)])
        #expect(try store.serviceTokens().map(\.lastUsed) == [CountedDay(number: 6)])
    }

    @Test func `a refused token was not used`() async throws {
        let tokens = try await ServiceTokens(store)
        #expect(!use(tokens, onDay: 101))
        #expect(tokens.token(ServiceTokenText(), at: Timestamp(millisecondsSinceEpoch: 1)) == nil)
        try await tokens.writeUses()
        #expect(written.isEmpty)
    }

    @Test func `a use that cannot be written is kept for later`() async throws {
        let tokens = try await ServiceTokens(store)
        #expect(use(tokens, onDay: 5))
        store.isAway.withLock { $0 = true }
        await #expect(throws: CountingStore.Away.self) { try await tokens.writeUses() }
        store.isAway.withLock { $0 = false }
        try await tokens.writeUses()
        #expect(written == [CountedDay(number: 5)])
    }

    @Test func `the note of a token is known while the token is`() async throws {
        let tokens = try await ServiceTokens(store)
        #expect(tokens.note(of: text.id)?.isEmpty == true && tokens.note(of: ServiceTokenID()) == nil)
    }
}
