import Crypto
import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// The service tokens, checked against a copy in memory that ``refresh()`` renews.
///
/// With the copy, a request needs no read of the database. It is renewed often enough that a revocation applies within
/// a second.
package final class ServiceTokens: Sendable {
    private struct State {
        var tokens: [ServiceTokenID: ServiceToken] = [:]

        /// Whether a token was ever created.
        ///
        /// From then on, the server cannot be open to everyone.
        var areConfigured = false

        /// The days of use not yet stored, at most one for each token.
        var unwrittenUses: [ServiceTokenID: CountedDay] = [:]
    }

    /// The digest that an unknown token is compared with.
    ///
    /// No known text has it.
    private static let unknown = Array(SHA256.hash(data: Array(ServiceTokenText().text.utf8)))

    private let store: any ServiceTokenStore
    private let state = Mutex(State())
    private let refreshes = Atomic(0)

    /// Creates the copy from the stored tokens.
    ///
    /// - Throws: the store's errors.
    package convenience init(_ store: any ServiceTokenStore) async throws {
        self.init(store, holding: try await store.serviceTokens())
    }

    /// Creates the copy from tokens already read.
    package init(_ store: any ServiceTokenStore, holding tokens: [ServiceToken]) {
        self.store = store
        take(tokens)
    }

    /// Reads the stored tokens again.
    ///
    /// - Throws: the store's errors. The previous copy then remains in use.
    package func refresh() async throws {
        take(try await store.serviceTokens())
    }

    private func take(_ tokens: [ServiceToken]) {
        let tokens = Dictionary(tokens.map { ($0.id, $0) }) { first, _ in first }
        state.withLock { state in
            state.tokens = tokens
            state.areConfigured = state.areConfigured || !tokens.isEmpty
        }
        refreshes.add(1, ordering: .releasing)
    }

    /// The number of renewals of the copy.
    ///
    /// A result derived from the copy is valid while this number is unchanged.
    package var generation: Int { refreshes.load(ordering: .acquiring) }

    /// Whether any token was ever created, usable or not.
    package var areConfigured: Bool { state.withLock { $0.areConfigured } }

    /// Returns the note of a token, or `nil` if it is unknown.
    package func note(of id: ServiceTokenID) -> String? { state.withLock { $0.tokens[id]?.note } }

    /// Stores the days of use recorded since the last call.
    ///
    /// - Throws: the store's errors. The days are kept for the next call.
    package func writeUses() async throws {
        let uses = state.withLock { state in
            defer { state.unwrittenUses = [:] }
            return state.unwrittenUses
        }
        guard !uses.isEmpty else { return }
        do {
            try await store.noteUses(uses)
            // Avoids storing the same use again until the copy is renewed.
            state.withLock { state in
                for (id, day) in uses { state.tokens[id] = state.tokens[id]?.used(on: day) }
            }
        } catch {
            state.withLock { $0.unwrittenUses.merge(uses) { max($0, $1) } }
            throw error
        }
    }

    /// Records the use of a valid token once a day.
    ///
    /// Otherwise the cost is a comparison.
    private func noteUse(of token: ServiceToken, at time: Timestamp) {
        let day = CountedDay(of: time)
        guard token.lastUsed.map({ $0 < day }) ?? true else { return }
        state.withLock { $0.unwrittenUses[token.id] = day }
    }

    /// Returns the service token with a text if it is valid at a time, and records its use.
    ///
    /// The digests are compared in constant time, and an unknown id costs as much as a wrong secret.
    func token(_ text: ServiceTokenText, at time: Timestamp) -> ServiceToken? {
        let token = state.withLock { $0.tokens[text.id] }
        let isRight = text.digest == token?.digest ?? Self.unknown
        guard isRight, let token, token.isUsable(at: time) else { return nil }
        noteUse(of: token, at: time)
        return token
    }
}
