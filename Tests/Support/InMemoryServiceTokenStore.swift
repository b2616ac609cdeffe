package import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// A store of service tokens in memory until the process ends: for tests.
package final class InMemoryServiceTokenStore: ServiceTokenStore {
    private let tokens: Mutex<[ServiceToken]>

    /// Creates a store that holds tokens.
    package init(_ tokens: [ServiceToken] = []) {
        self.tokens = Mutex(tokens)
    }

    package func serviceTokens() throws -> [ServiceToken] {
        tokens.withLock { $0.sorted { ($0.created, $0.id.text) < ($1.created, $1.id.text) } }
    }

    package func add(_ token: ServiceToken) async throws {
        tokens.withLock { $0.append(token) }
    }

    package func revoke(_ id: ServiceTokenID, at time: Timestamp) async throws -> Bool {
        tokens.withLock { tokens in
            guard let index = tokens.firstIndex(where: { $0.id == id }) else { return false }
            if tokens[index].revoked == nil { tokens[index] = tokens[index].revoked(at: time) }
            return true
        }
    }

    package func noteUses(_ days: [ServiceTokenID: CountedDay]) async throws {
        tokens.withLock { tokens in
            for index in tokens.indices {
                guard let day = days[tokens[index].id], tokens[index].lastUsed.map({ $0 < day }) ?? true else {
                    continue
                }
                tokens[index] = tokens[index].used(on: day)
            }
        }
    }
}
