package import DeepLinkCore

/// The service tokens that a transaction adds and revokes.
package struct TokenLedger: Sendable {
    /// The tokens in the store, with the times at which they were revoked.
    private var known: [ServiceTokenID: Timestamp?] = [:]

    /// The tokens to be added.
    package private(set) var new: [ServiceToken] = []

    /// The tokens to be revoked, with the times.
    package private(set) var revocations: [(id: ServiceTokenID, time: Timestamp)] = []

    /// Reads a token into the ledger.
    package mutating func read(_ id: ServiceTokenID, revoked: Timestamp?) { known[id] = .some(revoked) }

    /// Adds a token.
    mutating func add(_ token: ServiceToken) { new.append(token) }

    /// Revokes a token; one that was revoked before keeps its time.
    ///
    /// - Returns: Whether the token exists.
    mutating func revoke(_ id: ServiceTokenID, at time: Timestamp) -> Bool {
        guard let revoked = known[id] else { return false }
        if revoked == nil {
            revocations.append((id, time))
            known[id] = .some(time)
        }
        return true
    }
}
