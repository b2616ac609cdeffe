import Crypto
import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// The service tokens, recognized from a copy of the stored ones that ``refresh()`` renews.
///
/// The copy makes a request cost no read; it is renewed often enough for a revocation to count within a second.
package final class ServiceTokens: Sendable {
    private struct State {
        var tokens: [ServiceTokenID: ServiceToken] = [:]

        /// Whether a token was ever created: the server can then never be open to everyone again.
        var areConfigured = false

        /// The days of uses that the store doesn't know yet; one for each token at most.
        var unwrittenUses: [ServiceTokenID: CountedDay] = [:]
    }

    /// The digest that is compared with that of a token without a record: nobody knows a text that has it.
    private static let unknown = Array(SHA256.hash(data: Array(ServiceTokenText().text.utf8)))

    private let store: any ServiceTokenStore
    private let state = Mutex(State())
    private let refreshes = Atomic(0)

    /// Creates the copy.
    ///
    /// - Throws: the store's errors.
    package convenience init(_ store: any ServiceTokenStore) async throws {
        self.init(store, holding: try await store.serviceTokens())
    }

    /// Creates the copy from tokens that were read already.
    package init(_ store: any ServiceTokenStore, holding tokens: [ServiceToken]) {
        self.store = store
        take(tokens)
    }

    /// Reads the stored tokens again.
    ///
    /// - Throws: the store's errors; the former copy then stays in force.
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

    /// The number of times the copy was renewed: a conclusion from it is valid while this number is unchanged.
    package var generation: Int { refreshes.load(ordering: .acquiring) }

    /// Whether any token was ever made, usable or not.
    package var areConfigured: Bool { state.withLock { $0.areConfigured } }

    /// Returns the note of a token; `nil` for an unknown one.
    package func note(of id: ServiceTokenID) -> String? { state.withLock { $0.tokens[id]?.note } }

    /// Stores the days on which tokens were used, since the last call.
    ///
    /// - Throws: the store's errors; the days are kept for the next call.
    package func writeUses() async throws {
        let uses = state.withLock { state in
            defer { state.unwrittenUses = [:] }
            return state.unwrittenUses
        }
        guard !uses.isEmpty else { return }
        do {
            try await store.noteUses(uses)
            // Until the copy is renewed, the same use isn't written again.
            state.withLock { state in
                for (id, day) in uses { state.tokens[id] = state.tokens[id]?.used(on: day) }
            }
        } catch {
            state.withLock { $0.unwrittenUses.merge(uses) { max($0, $1) } }
            throw error
        }
    }

    /// Notes the use of a valid token: once a day, and otherwise at the cost of a comparison.
    private func noteUse(of token: ServiceToken, at time: Timestamp) {
        let day = CountedDay(of: time)
        guard token.lastUsed.map({ $0 < day }) ?? true else { return }
        state.withLock { $0.unwrittenUses[token.id] = day }
    }

    /// Returns the token of a text, if it is valid at a time, and notes its use.
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
